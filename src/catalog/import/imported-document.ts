import type { Fault } from '../../errors/errors';
import { pointerSteps } from '../../http/requests/json-pointer';
import { addressFaults } from '../listings/document-addresses';
import { MAX_SERVER_BYTES, serverBytes, sizeText } from '../listings/server-schema';
import { readEntry, type Unusable } from './incoming';

/**
 * The rules of an import for a document that a person edits: what an import would leave out because of its address is an error
 * here, since the person can correct it.
 *
 * @returns what is wrong with it; `loc` begins below the document
 */
export function editFaults(server: Readonly<Record<string, unknown>>): Fault[] {
  const entry = readEntry({ server });
  const faults = 'state' in entry ? [] : documentFaults(entry);
  const bytes = serverBytes(server);
  const tooLarge: Fault[] = bytes > MAX_SERVER_BYTES ? [{ loc: [], msg: sizeText(bytes), type: 'value_error' }] : [];
  return [...faults, ...addressFaults(server), ...tooLarge];
}

/** @returns the reasons as errors of a body with the document in `server` */
export function importFaults(entry: Unusable): Fault[] {
  return documentFaults(entry).map((fault) => ({ ...fault, loc: ['body', 'server', ...fault.loc] }));
}

function documentFaults({ reasons, kind }: Unusable): Fault[] {
  return reasons.map(({ path, message }) => {
    const loc = pointerSteps(path);
    // The entry around it is ours.
    const isBelowEntry = kind === 'UNREADABLE' && loc[0] === 'server';
    return { loc: isBelowEntry ? loc.slice(1) : loc, msg: message, type: 'value_error' };
  });
}
