import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The rooms on which every noun is built. They get what a noun declares from `app.module.ts`. */
const GROUND = ['errors', 'http', 'auth', 'database', 'events'];

/** Rooms without a noun of their own. */
const OTHERS = [
  'commands',
  'config',
  'console',
  'embedded',
  'metrics',
  'tracing',
  'outbound',
  'operations',
  'deletion',
  'pages',
  'sign-in',
  'users',
];

/** Folders of nouns whose names have a plain meaning too: an export in TypeScript, the log, a role. */
const PLAIN_WORDS =
  'access-tokens administration audit calls catalog compile connect credentials deliveries directory domains edge endpoints engine entries event-types export feed import install log mail me members people protocol queue registry roles rules sample search sending settings tokens upstreams versions';

const foldersOf = (path: string) =>
  readdirSync(join(__dirname, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** Singular and plural, in any spelling: `bundle`, `bundles`, `BundleEntry`, `bundle_id`. */
function pattern(folder: string): RegExp {
  const stem = folder.replace(/ies$/, '(?:y|ies)').replace(/s$/, '').replace('-', '[-_ ]?');
  return new RegExp(stem, 'i');
}

/** What has the letters of a noun in it, but is another word. */
const OTHER_WORDS = /previews?|ApiConsumes/gi;

/** The words in which clients ask for access, and what tokens can be for: each is one list for all rooms. */
const LISTS = ['auth/scopes.ts', 'auth/resources.ts', 'auth/resources.spec.ts'];

describe('The code below all rooms', () => {
  const rooms = foldersOf('.').filter((room) => ![...GROUND, ...OTHERS].includes(room));
  const plain = PLAIN_WORDS.split(' ');
  const nouns = [...rooms, ...rooms.flatMap(foldersOf)].filter((folder) => !plain.includes(folder));
  const files = GROUND.flatMap((room) =>
    readdirSync(join(__dirname, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${room}/${file}`)
      .filter((file) => !LISTS.includes(file)),
  );

  // If you are here because you add a noun: declare what the ground should know of it in `declares` of its module
  // (docs/adding-a-noun.md). An example in a comment can be of a thing.
  it('names no noun of a room, so that a new noun changes no file of it', () => {
    expect(nouns).toEqual(
      expect.arrayContaining(['bundles', 'categories', 'listings', 'organisations', 'scim', 'webhooks']),
    );
    const named = files.filter((file) => {
      const text = readFileSync(join(__dirname, file), 'utf8').replace(OTHER_WORDS, '');
      return nouns.some((noun) => pattern(noun).test(text));
    });
    expect(named).toEqual([]);
  });
});
