// Icons as outlines in a square of 24, drawn with the text's colour.
export const iconPaths = {
    play: "M8 5.5v13l10.5-6.5z",
    pause: "M8 5.5v13M16 5.5v13",
    step: "M6 5.5v13l8.5-6.5zM18 5.5v13",
    restart: "M5 12a7 7 0 1 0 2.3-5.2M5 4.5v4h4",
    view: "M12 3v18M3 12h18M12 3l-2.5 2.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5",
    ground: "M3 16l6-5h9l3 5zM12 3.5v4M12 7.5l-2-2M12 7.5l2-2M3 19.5h18",
    lift: "M12 4v16M12 4l-3.5 3.5M12 4l3.5 3.5M12 20l-3.5-3.5M12 20l3.5-3.5",
    turn: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M17.5 3v4h-4",
    orbit: "M12 9.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 0 0 0-5.6zM3 12c0-2.2 4-4 9-4s9 1.8 9 4s-4 4-9 4s-9-1.8-9-4z",
    fly: "M21 4L3 11.5l6.5 2.5L12 20.5zM9.5 14L21 4",
    frame: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    eye: "M2.5 12S6 5.8 12 5.8S21.5 12 21.5 12S18 18.2 12 18.2S2.5 12 2.5 12zM12 9.3a2.7 2.7 0 1 0 0 5.4a2.7 2.7 0 0 0 0-5.4z",
    hidden: "M4 4l16 16M9.2 6.3A8.8 8.8 0 0 1 12 5.8c6 0 9.5 6.2 9.5 6.2a17 17 0 0 1-3 3.6M6.2 7.8A16 16 0 0 0 2.5 12S6 18.2 12 18.2a9 9 0 0 0 3.6-.8",
    list: "M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5",
    chart: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
    headset: "M4 8h16v8h-5l-1.5-2.5h-3L9 16H4zM2.5 10.5v3M21.5 10.5v3",
    undo: "M8.5 4.5L4 9l4.5 4.5M4 9h10a5.5 5.5 0 0 1 0 11H9",
    redo: "M15.5 4.5L20 9l-4.5 4.5M20 9H10a5.5 5.5 0 0 0 0 11h5",
    help: "M9 9a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.3M12 17.5v.1",
    close: "M6 6l12 12M18 6L6 18",
} as const;

export type IconName = keyof typeof iconPaths;
