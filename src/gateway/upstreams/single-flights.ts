import { currentRequestId, DatabaseDeadline, inRequest, outsideRequests } from '../../database/deadline';

/** What a flight may spend on the database: as long as a request, since requests wait for it. */
const DATABASE_MS = 4_000;

/**
 * Work that many may want at once, and that is done once for all of them. It belongs to none of their requests, but has a
 * deadline for the database like one: no one waits longer than that for a database that is frozen.
 */
export class SingleFlights<T> {
  private readonly flights = new Map<string, Promise<T>>();

  /**
   * @param signal ends the waiting; the work goes on, for the others
   * @throws what the work throws; DatabaseDeadlineError; the reason of the signal
   */
  async join(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let flight = this.flights.get(name);
    if (!flight) {
      // The log names the request that has begun it.
      const requestId = currentRequestId() ?? '';
      const deadline = new DatabaseDeadline(DATABASE_MS, () => false);
      flight = outsideRequests(() => inRequest(requestId, deadline, work)).finally(() => this.flights.delete(name));
      this.flights.set(name, flight);
    }
    let leave = () => {};
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([flight, left]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
