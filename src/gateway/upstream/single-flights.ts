import { outsideRequests } from '../../database/deadline';

/** Work that many may want at once, and that is done once for all of them. */
export class SingleFlights<T> {
  private readonly flights = new Map<string, Promise<T>>();

  /**
   * @param signal ends the waiting; the work goes on, for the others
   * @throws what the work throws; the reason of the signal
   */
  async join(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    let flight = this.flights.get(name);
    if (!flight) {
      flight = outsideRequests(work).finally(() => this.flights.delete(name));
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
