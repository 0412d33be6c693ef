import { jsonPlaces } from '../../../../../src/catalog/import/json-places';
import { jsonPointer } from '../../../../../src/http/requests/json-pointer';
import type { Fault } from '../../../api/problem';

/** What is wrong with a document, and where in its text. */
export interface PlacedFault {
  message: string;
  line: number;
  column: number;
  from: number;
  to: number;
}

/** @returns the errors that an answer has for the document in `server`, at their places in the text that was sent */
export function placedFaults(text: string, faults: readonly Fault[]): PlacedFault[] {
  const own = faults.filter(({ loc }) => loc[0] === 'body' && loc[1] === 'server');
  const pointers = own.map(({ loc }) => jsonPointer(loc.slice(2)));
  const { places } = jsonPlaces(text, pointers);
  return own.flatMap(({ msg }, index) => {
    const pointer = pointers[index] ?? '';
    const place = places.get(pointer);
    return place ? [{ ...place, message: pointer === '' ? msg : `${pointer}: ${msg}` }] : [];
  });
}

/** @returns where a text stops being JSON */
export function brokenAt(text: string): Omit<PlacedFault, 'message'> | undefined {
  return jsonPlaces(text, []).brokenAt;
}
