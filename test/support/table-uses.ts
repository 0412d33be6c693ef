import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './root';

const SOURCE = join(ROOT, 'src');

/** A table, the room in whose folder its entity is, and what its comment in the database says. */
export interface OwnedTable {
  name: string;
  entity: string;
  owner: string;
  comment: string | undefined;
}

/** One place of `src/` that reads or writes a table. */
export interface TableUse {
  /** Below `src/`. */
  file: string;
  room: string;
  verb: 'reads' | 'writes';
  table: string;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/[.-]spec\.ts$/.test(name))
  .sort();
const ENTITY = /@Entity\('(?<name>\w+)'(?:, \{ comment: '(?<comment>[^']*)' \})?\)[^]*?export class (?<entity>\w+)/;

/** Every table, from the entities. */
export function ownedTables(): OwnedTable[] {
  return files
    .filter((file) => file.endsWith('.entity.ts'))
    .map((file) => {
      const { name, entity, comment } = ENTITY.exec(read(file))?.groups ?? {};
      if (name === undefined || entity === undefined) throw new Error(`${file} has no entity that can be read.`);
      return { name, entity, owner: roomOf(file), comment };
    });
}

/**
 * Every use of a table that the source shows: in SQL, where a keyword precedes the name, and in calls that pass the
 * entity, such as `manager.update(User, …)`. A table whose name is put together at run time is not seen.
 */
export function tableUses(tables: readonly OwnedTable[]): TableUse[] {
  const names = tables.map(({ name }) => name).join('|');
  const verbs = 'INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|FROM|JOIN|USING';
  const inSql = new RegExp(`\\b(?<verb>${verbs})\\s+(?:ONLY\\s+|LATERAL\\s+)?(?<table>${names})\\b`, 'g');
  // What `cap.ts` counts begins with the table.
  const inFragment = new RegExp(`^\\s*(?<table>${names}) WHERE\\b`);
  const byEntity = new Map(tables.map(({ entity, name }) => [entity, name]));
  return files
    .filter((file) => file.includes('/') && !file.endsWith('.entity.ts'))
    .flatMap((file) => {
      const use = (isWrite: boolean, table: string): TableUse => ({
        file,
        room: roomOf(file),
        verb: isWrite ? 'writes' : 'reads',
        table,
      });
      const { texts, calls } = textsAndCalls(file);
      return [
        ...texts.flatMap((text) => [
          ...[...text.matchAll(inSql)].map(({ groups }) => use(isWriting(groups?.verb), groups?.table ?? '')),
          ...[...(inFragment.exec(text)?.slice(1) ?? [])].map((table) => use(false, table)),
        ]),
        ...calls
          .filter(({ argument }) => byEntity.has(argument))
          .map(({ method, argument }) => use(isWritingMethod(method), byEntity.get(argument) ?? '')),
      ];
    });
}

function isWriting(verb = ''): boolean {
  return /^(INSERT|UPDATE|DELETE|MERGE)/.test(verb);
}

/** A repository that is kept in a variable can do both. */
function isWritingMethod(method: string): boolean {
  return /^(insert|update|upsert|delete|save|remove|getRepository)$/i.test(method);
}

interface Call {
  method: string;
  /** The first argument, if it is a name. */
  argument: string;
}

/** The texts of a file, with a blank for each `${…}`, and its calls. Comments are not among them. */
function textsAndCalls(file: string): { texts: string[]; calls: Call[] } {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.ES2023, true);
  const texts: string[] = [];
  const calls: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' '));
    }
    if (ts.isCallExpression(node)) {
      const [argument] = node.arguments;
      if (argument && ts.isIdentifier(argument)) calls.push({ method: methodOf(node), argument: argument.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { texts, calls };
}

/** @returns the last name of what is called; `delete` for `getRepository(User).delete(…)` too */
function methodOf({ expression, parent }: ts.CallExpression): string {
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  return name === 'getRepository' && ts.isPropertyAccessExpression(parent) ? parent.name.text : name;
}

function roomOf(file: string): string {
  return file.split('/', 1)[0] ?? '';
}

function read(file: string): string {
  return readFileSync(join(SOURCE, file), 'utf8');
}
