import fc from 'fast-check';
import { MAX_SERVER_BYTES } from '../listings/server-schema';
import { type Incoming, readEntry } from './incoming';
import { planPage, readPage, type StoredVersion, versionKey } from './page-plan';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';

function entryOf(name: string, version: string, description = 'A tool server.', official: object = {}): object {
  return { server: { name, version, description }, _meta: { [OFFICIAL]: official } };
}

function incomingOf(name: string, version: string, bytes?: number): Incoming {
  const entry = readEntry(entryOf(name, version));
  if (!('state' in entry)) throw new Error(`${name} ${version} cannot be read.`);
  return bytes === undefined ? entry : { ...entry, bytes };
}

function storedOf({ server }: Incoming, differences: Partial<StoredVersion> = {}): Map<string, StoredVersion> {
  const same = { is_same: true, is_verbatim: true, is_cleaned: true, status: 'active', status_message: null };
  const version: StoredVersion = { server_name: server.name, version: server.version, ...same, ...differences };
  return new Map([[versionKey(server.name, server.version), version]]);
}

describe('readPage', () => {
  it('counts an entry that repeats another one of the page, and keeps the first', () => {
    const entry = entryOf('io.a/map', '1.0.0');
    const page = readPage([entry, structuredClone(entry), entryOf('io.a/map', '1.0.1')]);
    expect(page).toMatchObject({ repeated: 1, unusable: [] });
    expect(page.usable.map(({ server }) => server.version)).toEqual(['1.0.0', '1.0.1']);
  });

  it('rejects the second of two entries that contradict each other', () => {
    const page = readPage([entryOf('io.a/map', '1.0.0'), entryOf('io.a/map', '1.0.0', 'Another text.')]);
    expect(page.usable.map(({ server }) => server.description)).toEqual(['A tool server.']);
    expect(page.unusable).toMatchObject([
      {
        name: 'io.a/map',
        version: '1.0.0',
        reasons: [{ path: '/version', message: 'appears twice, with different contents' }],
      },
    ]);
  });

  it('neither drops nor doubles an entry, whatever the page contains', () => {
    const name = fc.constantFrom('io.a/map', 'io.b/map', 'no name');
    const entry = fc.record({ name, version: fc.constantFrom('1.0.0', '^2'), text: fc.constantFrom('One.', 'Two.') });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const page = readPage(entries.map(({ name, version, text }) => entryOf(name, version, text)));
        expect(page.usable.length + page.unusable.length + page.repeated).toBe(entries.length);
        const keys = page.usable.map(({ server }) => versionKey(server.name, server.version));
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe('planPage', () => {
  const entry = incomingOf('io.a/map', '1.0.0');

  it('creates a version that is not stored', () => {
    expect(planPage([entry], new Map())).toMatchObject({ versionsToCreate: [entry], rejected: [], unchanged: 0 });
  });

  it('rejects a new version whose document is too large, but leaves a stored one alone', () => {
    const large = incomingOf('io.a/map', '1.0.0', MAX_SERVER_BYTES + 1);
    expect(planPage([large], new Map())).toMatchObject({ versionsToCreate: [], rejected: [{ name: 'io.a/map' }] });
    expect(planPage([large], storedOf(large))).toMatchObject({ rejected: [], unchanged: 1 });
  });

  it('writes nothing for a version that is stored as it is', () => {
    expect(planPage([entry], storedOf(entry))).toEqual({
      versionsToCreate: [],
      statesToChange: [],
      documentsToRestore: [],
      documentsToReorder: [],
      rejected: [],
      unchanged: 1,
    });
  });

  it('rejects a version that is stored with another document', () => {
    const stored = storedOf(entry, { is_same: false, is_verbatim: false, is_cleaned: false });
    expect(planPage([entry], stored)).toMatchObject({ rejected: [{ version: '1.0.0' }], statesToChange: [] });
  });

  it('changes the state of a deleted version, although its source sends another document', () => {
    const deleted: Incoming = { ...entry, state: { ...entry.state, status: 'deleted' } };
    const stored = storedOf(entry, { is_same: false, is_verbatim: false, is_cleaned: false });
    expect(planPage([deleted], stored)).toMatchObject({ rejected: [], statesToChange: [deleted] });
  });

  it('changes the state of a version whose status message is another', () => {
    const stored = storedOf(entry, { status_message: 'Use 2.' });
    expect(planPage([entry], stored)).toMatchObject({ statesToChange: [entry], unchanged: 0 });
  });

  it('restores a document that an earlier release stored without what was empty', () => {
    const stored = storedOf(entry, { is_same: false, is_verbatim: false });
    expect(planPage([entry], stored)).toMatchObject({ documentsToRestore: [entry], rejected: [], unchanged: 0 });
  });

  it('reorders the fields of a document that an earlier release sorted, which counts as unchanged', () => {
    const stored = storedOf(entry, { is_verbatim: false });
    expect(planPage([entry], stored)).toMatchObject({ documentsToReorder: [entry], unchanged: 1 });
  });
});
