import { channel } from 'node:diagnostics_channel';

/** Where an event has got to on its way to a receiver. */
export type Station = 'notified' | 'fanned out' | 'claimed' | 'dialled' | 'sent';

/** What is published of one or several events that pass a station together. */
export interface StationVisit {
  station: Station;
  /** None if it is not known yet which events they are. */
  eventIds: readonly string[];
  /** Epoch milliseconds, with a fraction. */
  at: number;
}

/** The name of the channel on which visits are published. */
export const STATIONS = 'toolyard.webhook-stations';

const stations = channel(STATIONS);

/**
 * Publishes that events pass a station, to measure where their time goes (`bench/station-trace.ts`). Without
 * a subscriber this is one comparison.
 *
 * @param eventIds called only if someone listens
 */
export function passing(station: Station, eventIds: () => readonly string[] = () => []): void {
  if (!stations.hasSubscribers) return;
  stations.publish({
    station,
    eventIds: eventIds(),
    at: performance.timeOrigin + performance.now(),
  } satisfies StationVisit);
}
