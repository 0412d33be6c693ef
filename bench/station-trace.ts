import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { type StationVisit, STATIONS } from '../src/webhooks/stations';

/**
 * Loaded into the service by `NODE_OPTIONS=--require`: notes when events pass the stations of the delivery engine, and
 * writes it to TRACE_FILE when the process ends.
 */
const passages: StationVisit[] = [];
subscribe(STATIONS, (message) => passages.push(message as StationVisit));
process.on('exit', () => writeFileSync(String(process.env.TRACE_FILE), JSON.stringify(passages)));
