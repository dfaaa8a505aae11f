// What the user chose to see, stored in the browser.

export interface Settings {
    contacts: boolean;
    shadows: boolean;
    grid: boolean;
    outline: boolean;
    faces: boolean; // faces that collide are drawn whole
    first: boolean; // first contacts are marked
    sound: boolean; // what objects sound like is played
    handSound: boolean; // what handling sounds like is played
    vibration: boolean; // what is held is felt
    timeline: boolean; // the strip of touches is open
}

const key = "fureai-viewer";

export function loadSettings(defaults: Settings): Settings {
    const settings = { ...defaults };
    try {
        const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? "{}");
        for (const name of Object.keys(settings) as (keyof Settings)[]) {
            const value = (stored as Partial<Record<keyof Settings, unknown>> | null)?.[name];
            if (typeof value === "boolean") {
                settings[name] = value;
            }
        }
    } catch {
        // Storage that is closed to us or holds something else leaves the defaults.
    }
    return settings;
}

export function saveSettings(settings: Settings): void {
    try {
        window.localStorage.setItem(key, JSON.stringify(settings));
    } catch {
        // They last as long as the page then.
    }
}
