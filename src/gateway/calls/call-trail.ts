import { newId } from '../../database/id';
import type { JsonObject, RpcError } from '../protocol/json-rpc';
import { type CallVerdict, verdictOfCode } from '../settings/call-outcome';
import { CANCELLED, NOT_RECORDED, verdictOf, verdictOfError } from './call-verdict';
import type { CallRow } from './call-writes.sql';
import { recordedText } from '../settings/recording';

/** A name can be an address of a resource. An index has room for it: at most 1 kB. */
const MAX_NAME_LENGTH = 256;

/** What of a row is known when a call begins. */
export type BegunCall = Pick<
  CallRow,
  | 'bundle_id'
  | 'deployment_id'
  | 'bundle_version'
  | 'method'
  | 'principal_type'
  | 'principal_id'
  | 'client_name'
  | 'client_version'
  | 'era'
  | 'bytes_in'
  | 'request_id'
  | 'trace_id'
  | 'argument_keys'
  | 'argument_digest'
>;

/** What a call turns out to be for. */
export interface CallTarget {
  readonly entryId: string;
  /** At the server; null: nothing that it has ever listed. */
  readonly name: string | null;
  /** What clients call it. */
  readonly exposedName: string | null;
  readonly digest: Buffer | null;
}

/** Where rows go. */
export interface CallSink {
  /** Whether the row has to be there before the server is asked. */
  readonly isStrict: boolean;
  /** Writes a row soon. */
  add(row: CallRow): void;
  /** Writes a row now. @throws if that was not possible */
  write(row: CallRow): Promise<void>;
  /** @returns what the client gets when its call cannot be recorded */
  refusal(error: unknown): Error;
  /** @returns whether a call that no server was asked for has a row; absent: each has */
  admits?(call: BegunCall, verdict: CallVerdict, target: Partial<CallTarget>): boolean;
  /** Is told what has become of the call. */
  ended(verdict: CallVerdict): void;
}

type Answered = { readonly result: JsonObject } | { readonly error: RpcError };

/** What happens to one call, from its first word to its row in the record. */
export class CallTrail {
  /** Contains the time. */
  private readonly id = newId();
  private readonly began = performance.now();
  private target: Partial<CallTarget> = {};
  private verdict?: CallVerdict;
  /** Why the server did not do it, whatever the client is told then. */
  private failure?: CallVerdict;
  private upstreamMs?: number;
  private hasTried = false;
  /** Whether it has a row; undefined: that was not decided yet. */
  private hasRow?: boolean;

  constructor(
    private readonly call: BegunCall,
    private readonly sink: CallSink,
  ) {}

  /** Whether its row is there before the server is asked (`STRICT`). */
  get isStrict(): boolean {
    return this.sink.isStrict;
  }

  /** The call is for something that the bundle has. Where it leads to something else in turn, the last one counts. */
  aim(target: CallTarget): void {
    this.target = target;
  }

  /** The bundle has nothing of that name, or the principal may not see it. @param name of the client's choice */
  aimAtNothing(name: string): void {
    this.target = { exposedName: name };
  }

  /**
   * The server is about to be asked. With `STRICT` the row is there when this returns.
   *
   * @throws RpcFailure if it could not be written
   */
  async begin(): Promise<void> {
    try {
      await this.writeAhead();
    } catch (error) {
      this.verdict = NOT_RECORDED;
      throw this.sink.refusal(error);
    }
  }

  /** The server has failed, or was not asked. @param code of `com.toolyard/error` */
  failed(code: string): void {
    this.failure = verdictOfCode(code);
  }

  /** Measures how long the server takes. @returns the same */
  async asked<T>(work: Promise<T>): Promise<T> {
    const since = performance.now();
    try {
      return await work;
    } finally {
      this.upstreamMs = (this.upstreamMs ?? 0) + performance.now() - since;
    }
  }

  /**
   * Runs the call. With `STRICT`, the row of one that was refused is there before its answer is sent.
   *
   * @param signal has cancelled it if it is aborted afterwards
   * @returns what the call returns @throws what it throws
   */
  async follow<T extends Answered | undefined>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    try {
      const answer = await work();
      this.verdict = signal.aborted ? CANCELLED : (this.failure ?? verdictOf(answer, this.upstreamMs !== undefined));
      return answer;
    } catch (error) {
      this.verdict ??= signal.aborted ? CANCELLED : (this.failure ?? verdictOfError(error));
      throw error;
    } finally {
      // Refused or not, the client gets its answer; the end of the call tries again.
      if (this.isStrict) await this.writeAhead().catch(() => undefined);
    }
  }

  /** The call has ended. @param bytesOut what the client was sent */
  end(bytesOut: number): void {
    const verdict = this.verdict ?? CANCELLED;
    if (this.isOurs) return;
    if (this.isAdmitted(verdict)) this.sink.add(this.row(verdict.outcome, verdict.errorCode, bytesOut));
    this.sink.ended(verdict);
  }

  /** Answered by this service itself, with something that no entry has: that is no call of a server, and no refusal. */
  private get isOurs(): boolean {
    return this.verdict?.outcome === 'OK' && this.target.entryId === undefined;
  }

  /** One that was begun has a row already. */
  private isAdmitted(verdict: CallVerdict): boolean {
    if (this.upstreamMs !== undefined || verdict === NOT_RECORDED) return true;
    return (this.hasRow ??= this.sink.admits?.(this.call, verdict, this.target) ?? true);
  }

  private async writeAhead(): Promise<void> {
    if (!this.isStrict || this.hasTried || this.isOurs) return;
    this.hasTried = true;
    if (this.verdict && !this.isAdmitted(this.verdict)) return;
    await this.sink.write(this.row(this.verdict?.outcome ?? 'STARTED', this.verdict?.errorCode ?? null));
  }

  private row(outcome: CallRow['outcome'], errorCode: string | null, bytesOut: number | null = null): CallRow {
    const { entryId = null, name = null, exposedName = null, digest = null } = this.target;
    const hasEnded = outcome !== 'STARTED';
    const { call } = this;
    // Written out: V8 keeps what is spread into an object of so many properties as a hash table of 4 kB, and rows wait.
    return {
      bundle_id: call.bundle_id,
      id: this.id,
      deployment_id: call.deployment_id,
      bundle_version: call.bundle_version,
      entry_id: entryId,
      method: call.method,
      name: recordedText(name, MAX_NAME_LENGTH),
      exposed_name: recordedText(exposedName, MAX_NAME_LENGTH),
      definition_digest: digest,
      principal_type: call.principal_type,
      principal_id: call.principal_id,
      client_name: call.client_name,
      client_version: call.client_version,
      era: call.era,
      outcome,
      error_code: errorCode,
      duration_us: hasEnded ? microseconds(performance.now() - this.began) : null,
      upstream_us: hasEnded && this.upstreamMs !== undefined ? microseconds(this.upstreamMs) : null,
      bytes_in: call.bytes_in,
      bytes_out: bytesOut,
      request_id: call.request_id,
      trace_id: call.trace_id,
      argument_keys: call.argument_keys,
      argument_digest: call.argument_digest,
    };
  }
}

/** What the column takes: 35 minutes. */
const MAX_MICROSECONDS = 2_147_483_647;

function microseconds(milliseconds: number): number {
  return Math.min(Math.round(milliseconds * 1_000), MAX_MICROSECONDS);
}
