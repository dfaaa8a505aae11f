// A line between a page and a server on this machine that takes its time: a TCP proxy that delays what goes through it,
// scatters it in time, keeps its order, and stalls on request.
import { connect, createServer, type AddressInfo, type Server as Listener, type Socket } from "node:net";

export class DelayLine {
    port = 0; // of this machine, to which it leads
    private stalledUntil = 0;
    private readonly sockets = new Set<Socket>();

    private constructor(
        private readonly listener: Listener,
        private readonly delayMs: number,
        private readonly jitterMs: number,
    ) {}

    static async open(delayMs: number, jitterMs: number): Promise<DelayLine> {
        const listener = createServer({ noDelay: true, allowHalfOpen: true });
        const line = new DelayLine(listener, delayMs, jitterMs);
        listener.on("connection", (near) => {
            const far = connect({ port: line.port, host: "127.0.0.1", noDelay: true, allowHalfOpen: true });
            line.join(near, far);
            line.join(far, near);
        });
        await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
        return line;
    }

    get address(): string {
        return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
    }

    // Nothing comes through for so long, then all of it.
    stall(ms: number): void {
        this.stalledUntil = performance.now() + ms;
    }

    async close(): Promise<void> {
        this.sockets.forEach((socket) => socket.destroy());
        await new Promise<void>((resolve) => this.listener.close(() => resolve()));
    }

    private join(from: Socket, to: Socket): void {
        this.sockets.add(from);
        let queue: Promise<void> = Promise.resolve(); // pieces go one after the other
        const pass = (run: () => void): void => {
            const due = performance.now() + this.delayMs + this.jitterMs * Math.random();
            queue = queue.then(() => this.until(due)).then(run);
        };
        from.on("data", (bytes) => pass(() => void (to.writable && to.write(bytes))));
        from.on("end", () => pass(() => void to.end()));
        from.on("error", () => to.destroy());
        from.on("close", () => this.sockets.delete(from));
    }

    private async until(due: number): Promise<void> {
        for (;;) {
            const rest = Math.max(due, this.stalledUntil) - performance.now();
            if (rest <= 0.5) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, rest));
        }
    }
}
