import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { TEST_CERTIFICATE, TEST_KEY } from './certificates';

/** A mail that the server accepted. */
export interface ReceivedMail {
  from: string;
  to: string;
  /** As sent, without dot stuffing. */
  source: string;
  /** Names in lower case; unfolded, not decoded. */
  headers: Record<string, string>;
  /** Of the plain text, decoded from quoted-printable. */
  text: string;
  /** Was the connection encrypted? */
  isEncrypted: boolean;
}

/** How the server behaves from now on. */
export interface Mood {
  /** After which command it says nothing more; `CONNECT` for the greeting. */
  hangsAfter?: 'CONNECT' | 'EHLO' | 'RCPT' | 'DATA';
  /** Its replies instead of the usual ones, by command; `.` is the end of the data. */
  replies?: Partial<Record<'CONNECT' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | '.', string>>;
  /** Offers STARTTLS. */
  hasTls?: boolean;
}

/** A mail server of a test, on the loopback. */
export class SmtpServer {
  readonly mails: ReceivedMail[] = [];
  /** Every line that clients sent outside of data. */
  readonly commands: string[] = [];
  mood: Mood = {};
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(mood: Mood = {}, port = 0): Promise<SmtpServer> {
    const server = createServer();
    const smtp = new SmtpServer(server);
    smtp.mood = mood;
    server.on('connection', (socket) => {
      smtp.sockets.add(socket);
      socket.once('close', () => smtp.sockets.delete(socket));
      smtp.reply(socket, 'CONNECT', '220 test ESMTP');
      smtp.serve(socket, false);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return smtp;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  mailsTo(address: string): ReceivedMail[] {
    return this.mails.filter(({ to }) => to === address);
  }

  /** Ends all connections. */
  hangUp(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.hangUp();
    await closed;
  }

  private serve(socket: Socket, isEncrypted: boolean): void {
    let [buffer, isData, from, to] = ['', false, '', ''];
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        buffer += chunk.toString('latin1');
        for (;;) {
          const end = isData ? buffer.indexOf('\r\n.\r\n') : buffer.indexOf('\r\n');
          if (end === -1) return;
          const line = buffer.slice(0, end);
          buffer = buffer.slice(end + (isData ? 5 : 2));
          if (isData) {
            isData = false;
            if (this.reply(socket, '.', '250 accepted')) this.mails.push(parsed(line, from, to, isEncrypted));
            continue;
          }
          this.commands.push(line);
          const [, verb = '', address = ''] =
            /^(\w+)(?:.*:<(.*?)>)?/.exec(line.toUpperCase().startsWith('AUTH') ? 'AUTH' : line) ?? [];
          if (verb === 'STARTTLS') return this.startTls(socket);
          if (verb === 'EHLO') this.reply(socket, verb, this.greeting(isEncrypted));
          else if (verb === 'AUTH') this.reply(socket, verb, '235 welcome');
          else if (verb === 'MAIL') [from] = [address, this.reply(socket, verb, '250 ok')];
          else if (verb === 'RCPT') [to] = [address, this.reply(socket, verb, '250 ok')];
          else if (verb === 'DATA') isData = this.reply(socket, verb, '354 go on');
          else socket.write(verb === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
        }
      });
  }

  private greeting(isEncrypted: boolean): string {
    const startTls = this.mood.hasTls === true && !isEncrypted ? '250-STARTTLS\r\n' : '';
    return `250-test\r\n${startTls}250-AUTH PLAIN\r\n250 8BITMIME`;
  }

  private startTls(socket: Socket): void {
    socket.removeAllListeners('data');
    socket.write('220 go on\r\n');
    const secureContext = createSecureContext({ key: TEST_KEY, cert: TEST_CERTIFICATE });
    const encrypted = new TLSSocket(socket, { isServer: true, secureContext });
    this.serve(encrypted, true);
  }

  /** @returns whether the client was told to go on */
  private reply(socket: Socket, command: string, usual: string): boolean {
    const { hangsAfter, replies = {} } = this.mood;
    if (hangsAfter === command) return false;
    const reply = (replies as Record<string, string | undefined>)[command] ?? usual;
    socket.write(`${reply}\r\n`);
    return /^[23]/.test(reply);
  }
}

function parsed(source: string, from: string, to: string, isEncrypted: boolean): ReceivedMail {
  const plain = source.replace(/^\.\./gm, '.');
  const [head = ''] = plain.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const part = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(plain)?.[1] ?? '';
  return { from, to, source: plain, headers, text: unquoted(part), isEncrypted };
}

/** From quoted-printable (RFC 2045, section 6.7). */
function unquoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
