// Counts words that plain English does without, for each 1,000 lines of TypeScript in a room of src/ (specs left out), and
// the words of Markdown. Fails if a room or the documents have more than their ceiling, which may only fall.
//
//   npm run prose
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** A hit is a place to look at, and no verdict. */
const MARKED = [
  /\b(whoever|whom|anew|somebody|nobody)\b/gi,
  /\bfor ever\b/gi,
  /\b(tell|tells|told)\b/gi,
  /\bnone of\b/gi,
  /\bthere (is|are) (not|none|already)\b/gi,
  /\bthat there (is|are)\b/gi,
  /\b(is|are) no (?!longer|more\b)[a-z]+\b/gi,
  /\b(MOST|LONGEST|LEAST)_[A-Z]/g,
  /\bmay not be\b/gi,
  /\bmakes? (of|out of) (it|them)\b/gi,
  /\bof which\b/gi,
  /\bstands?\b(?! alone)/gi,
  /\bwants?\b/gi,
];

/** Marked words in 1,000 lines, by room; they may only fall. */
const CEILINGS = {
  '(top)': 6,
  auth: 9,
  bundles: 4,
  catalog: 4,
  commands: 2,
  config: 6,
  console: 0,
  database: 8,
  deletion: 3,
  domains: 0,
  embedded: 10,
  errors: 8,
  events: 0,
  gateway: 9,
  http: 5,
  invitations: 4,
  mail: 4,
  me: 9,
  metrics: 8,
  operations: 5,
  organisations: 5,
  outbound: 10,
  pages: 4,
  scim: 6,
  'server-requests': 0,
  'sign-in': 7,
  tracing: 6,
  users: 5,
  webhooks: 5,
};
/** A room that is new has no ceiling of its own yet. */
const CEILING_OF_NEW = 3;
const MAX_WORDS_OF_MARKDOWN = 72_000;

const NOT_OURS = /^(node_modules|dist.*|\.git|\.data|coverage)$/;

function filesIn(folder, end) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.test(entry.name) ? [] : filesIn(path, end);
    return entry.name.endsWith(end) ? [path] : [];
  });
}

const rooms = new Map();
for (const path of filesIn(join(ROOT, 'src'), '.ts')) {
  if (path.endsWith('spec.ts')) continue;
  const parts = relative(join(ROOT, 'src'), path).split(sep);
  const room = parts.length > 1 ? parts[0] : '(top)';
  const text = readFileSync(path, 'utf8');
  const at = rooms.get(room) ?? { lines: 0, hits: 0 };
  at.lines += text.split('\n').length;
  at.hits += MARKED.reduce((sum, word) => sum + (text.match(word)?.length ?? 0), 0);
  rooms.set(room, at);
}
const words = filesIn(ROOT, '.md').reduce(
  (sum, path) => sum + readFileSync(path, 'utf8').split(/\s+/).filter(Boolean).length,
  0,
);

const faults = [];
const ranked = [...rooms].map(([room, { lines, hits }]) => ({ room, lines, hits, rate: (hits * 1000) / lines }));
for (const { room, lines, hits, rate } of ranked.toSorted((one, other) => other.rate - one.rate)) {
  process.stdout.write(`${room.padEnd(16)} ${rate.toFixed(1).padStart(6)}   ${hits} in ${lines} lines\n`);
  const ceiling = CEILINGS[room] ?? CEILING_OF_NEW;
  if (rate > ceiling)
    faults.push(`${room} has ${rate.toFixed(1)} marked words in 1,000 lines, and may have ${ceiling}.`);
}
process.stdout.write(`words of Markdown: ${words}\n`);
if (words > MAX_WORDS_OF_MARKDOWN) faults.push(`Markdown has ${words} words, and may have ${MAX_WORDS_OF_MARKDOWN}.`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
