// What a page without a server and its worker say to one another.

// To the worker. Requests go one after another; their replies bear the number.
export type ToWorker =
    | { type: "load"; module: string; scenes: string; first: string } // addresses, and the scene to begin with; "": any
    | { type: "open" }
    | { type: "send"; bytes: Uint8Array<ArrayBuffer> }
    | { type: "close" }
    | { type: "request"; number: number; path: string; files: Blob | null }; // null: asks for a file

// From the worker.
export type FromWorker =
    | { type: "loaded"; pictures: string[] } // names of the scenes that have a picture
    | { type: "failed"; sentence: string } // nothing goes on
    | { type: "opened" }
    | { type: "message"; bytes: ArrayBuffer }
    | { type: "closed"; code: number }
    | { type: "reply"; number: number; status: number; mime: string; name: string; bytes: ArrayBuffer };
