import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const PAUSE_MS = 50;

/**
 * Closes what a server leaves open when it closes, and which would delay its end: connections without a request so far
 * (browsers open them in advance), those whose request is being answered at that moment, and those with one request after
 * another.
 */
export class IdleConnections {
  private readonly sockets = new Set<Socket>();

  /** @param server with no connections yet */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Closes them as they become idle.
   *
   * @returns a function that ends this, for when the server is closed
   */
  keepClosing(): () => void {
    const timer = setInterval(() => {
      this.server.closeIdleConnections();
      for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
    }, PAUSE_MS);
    return () => clearInterval(timer);
  }
}
