import { capabilitiesIn, type CapabilitySet } from '../protocol/capability-set';
import { isRequestId, type JsonObject, RpcCode } from '../protocol/json-rpc';

/** One conversation has at most so many answers. */
const MAX_ANSWERS = 16;

/**
 * Answers what a server asks while its lists are read. No client takes part in that, so there are no roots, and no person can
 * be asked.
 */
export class ListQuestions {
  private answers = 0;

  /** @param send receives the answer, of JSON-RPC */
  constructor(
    private readonly set: CapabilitySet,
    private readonly send: (answer: JsonObject) => void,
  ) {}

  /** @param message of the server, on the stream of a list; no request is left alone */
  readonly take = ({ id, method }: JsonObject): void => {
    if (!isRequestId(id) || typeof method !== 'string' || ++this.answers > MAX_ANSWERS) return;
    this.send({ id, ...this.answerTo(method) });
  };

  private answerTo(method: string): JsonObject {
    if (method === 'ping') return { result: {} };
    if (method === 'roots/list' && 'roots' in capabilitiesIn(this.set)) return { result: { roots: [] } };
    return {
      error: { code: RpcCode.MethodNotFound, message: 'Only lists are read in this session, so nothing can be asked.' },
    };
  }
}
