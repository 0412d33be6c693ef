import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One answer of a connection. */
export interface WireAnswer {
  status: number;
  /** Names in lower case. */
  headers: Map<string, string>;
  text: string;
}

/** A client that writes to its connection whatever a test wants, also what HTTP forbids, and waits for nothing. */
export class RawClient {
  /** All that has arrived so far. */
  received = '';
  /** Set when the server has ended or cut the connection. */
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (this.received += chunk));
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) socket.on(event, () => (this.isClosed = true));
  }

  /** @param keepsOpen whether it ignores that the server has ended the connection, and does not end its own side */
  static async connect(url: string, keepsOpen = false): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: keepsOpen });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** @param lines of the head; the empty one that ends it is added */
  sendHead(...lines: string[]): void {
    this.send([...lines, '', ''].join('\r\n'));
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Sends the piece again and again, as fast as it is taken. @returns bytes sent until the server closed */
  async flood(piece: string): Promise<number> {
    const bytes = Buffer.from(piece, 'latin1');
    let sent = 0;
    while (!this.isClosed) {
      sent += bytes.length;
      if (!this.socket.write(bytes))
        await Promise.race([once(this.socket, 'drain'), this.closed()]).catch(() => undefined);
    }
    return sent;
  }

  /** @returns the answers that had arrived when the server closed the connection */
  async untilClosed(): Promise<WireAnswer[]> {
    if (!this.isClosed) await this.closed();
    return answersIn(this.received);
  }

  /** @returns the first so many answers of a connection that stays open */
  async answers(count: number): Promise<WireAnswer[]> {
    for (;;) {
      const answers = answersIn(this.received);
      if (answers.length >= count) return answers;
      if (this.isClosed) throw new Error(`Closed after ${answers.length} answers: ${this.received}`);
      await Promise.race([once(this.socket, 'data'), this.closed()]);
    }
  }

  destroy(): void {
    this.socket.destroy();
  }

  private closed(): Promise<unknown> {
    return Promise.race([once(this.socket, 'end'), once(this.socket, 'close')]);
  }
}

/** Reads as many whole answers as there are; all of ours that these tests see have a length, or no body. */
function answersIn(text: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = text; rest.includes('\r\n\r\n');) {
    const end = rest.indexOf('\r\n\r\n');
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    if (body.length < length) break;
    answers.push({ status: Number(start.split(' ')[1]), headers, text: body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
