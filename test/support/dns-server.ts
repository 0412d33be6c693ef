import { createSocket, Socket } from 'node:dgram';
import type { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { DnsResolver } from '../../src/outbound/dns-resolver';

/** Addresses of the family that is asked for (others are left out), or what goes wrong. */
export type DnsAnswer = readonly string[] | 'no such name' | 'fails' | 'is silent';

/** The TXT records of a name, each a list of strings, or what goes wrong. */
export type TxtAnswer = readonly (readonly string[])[] | Exclude<DnsAnswer, readonly string[]>;

const TYPES: Record<number, 4 | 6> = { 1: 4, 28: 6 };
const TXT = 16;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

/** A real DNS server on the loopback interface (RFC 1035), which may say something else with every question. */
export class DnsServer {
  /** Every question: `hooks.example.com 4` for its IPv4 addresses, `hooks.example.com TXT` for its TXT records. */
  readonly questions: string[] = [];
  /** What it answers from now on. */
  answer: (name: string, family: 4 | 6) => DnsAnswer = () => 'no such name';
  /** The same for TXT records. */
  answerTxt: (name: string) => TxtAnswer = () => 'no such name';

  private constructor(private readonly socket: Socket) {
    socket.on('message', (question, { address, port }) => {
      const reply = this.reply(question);
      if (reply) socket.send(reply, port, address);
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** The resolver of the application, but for the server that it asks. */
  get resolver(): DnsResolver {
    return new ResolverOf(`127.0.0.1:${this.socket.address().port}`);
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private reply(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.');
    const type = query.readUInt16BE(at + 1);
    const family = TYPES[type];
    if (!family && type !== TXT) throw new Error(`Asked for something else than addresses or TXT of ${name}.`);
    this.questions.push(`${name} ${family ?? 'TXT'}`);
    const answer = family ? this.answer(name, family) : this.answerTxt(name);
    if (answer === 'is silent') return undefined;
    const question = query.subarray(12, at + 5);
    if (answer === 'fails') return packet(query.readUInt16BE(0), SERVER_FAILURE, question, type, []);
    if (answer === 'no such name') return packet(query.readUInt16BE(0), NAME_ERROR, question, type, []);
    return packet(query.readUInt16BE(0), NO_ERROR, question, type, recordsOf(answer, family));
  }
}

function recordsOf(answer: readonly (string | readonly string[])[], family: 4 | 6 | undefined): Buffer[] {
  return answer.flatMap((record) => {
    if (typeof record !== 'string') return [Buffer.concat(record.map(characterString))];
    return record.includes(':') === (family === 6) ? [bytesOf(record)] : [];
  });
}

/** RFC 1035, section 3.3. */
function characterString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

class ResolverOf extends DnsResolver {
  constructor(private readonly server: string) {
    super();
  }

  protected override open(): Resolver {
    const resolver = super.open();
    resolver.setServers([this.server]);
    return resolver;
  }
}

/** RFC 1035, section 4.1. */
function packet(id: number, code: number, question: Buffer, type: number, answers: Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(id, 0);
  head.writeUInt16BE(0x8180 | code, 2); // an answer; recursion was asked for and is available
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(answers.length, 6);
  const records = answers.map((data) => {
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0); // the name of the question
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4); // of the Internet; it may be kept for 0 seconds
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, question, ...records]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  // The URL standard writes an IPv4 address at the end in hexadecimal, too.
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const zeros = Array<string>(8 - groups(before).length - groups(after).length).fill('0');
  const all = [...groups(before), ...zeros, ...groups(after)].map((group) => group.padStart(4, '0'));
  return Buffer.from(all.join(''), 'hex');
}
