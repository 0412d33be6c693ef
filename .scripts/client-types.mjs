// Writes the types of our two clients from openapi.json, with one type for each schema: those of the tests, which have the
// paths as a tree, so that a path in a call resolves to its operation (test/support/typed-paths.ts), and those of the
// console, which names an operation by its method and path (console/src/api/client.ts).
//
//   node .scripts/client-types.mjs            writes test/support/api-types.ts and console/src/api/schema.d.ts
//   node .scripts/client-types.mjs --check    fails if a file is not up to date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TESTS = 'test/support/api-types.ts';
const CONSOLE = 'console/src/api/schema.d.ts';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const REFERENCE = /^#\/components\/schemas\/(.+)$/;

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));

const head = `/* eslint-disable max-lines */
// Written by \`npm run client-types\` from openapi.json. Change the API, not this file.

`;
const ofTests = `${head}${schemas()}
/** What each operation takes and answers, by its operationId. */
export interface Operations {
${operations().map(operationType).join('')}}

/** The operations by path: a level for each part, \`*\` for a parameter, and the methods in capitals at the end. */
export interface Paths ${typeOfTree(tree(), '')}
`;

const ofConsole = `${head}${schemas()}
/** What each operation takes and answers, by its method and path. */
export interface Calls {
${operations().filter(isForPrograms).map(callType).join('')}}
`;

const isCheck = process.argv.includes('--check');
for (const [target, text] of [
  [TESTS, ofTests],
  [CONSOLE, ofConsole],
]) {
  const path = join(ROOT, target);
  if (!isCheck) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(
      `${target} is not what openapi.json says. Run \`npm run client-types\` and commit the result.\n`,
    );
    process.exitCode = 1;
  }
}

function schemas() {
  return Object.entries(document.components.schemas)
    .map(([name, schema]) => {
      const type = typeOf(schema, '');
      const isInterface = type.startsWith('{') && type.endsWith('}') && schema.type === 'object';
      return isInterface ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
    })
    .join('\n');
}

/** Every operation, with its method and path. */
function operations() {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ method, path, operation: item[method] })),
  );
}

function operationType({ method, path, operation }) {
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => `${status}: ${contentType(resolve(response), '      ')}`,
  );
  const body = operation.requestBody ? contentType(resolve(operation.requestBody), '    ') : 'undefined';
  return `  /** \`${method.toUpperCase()} ${path}\`: ${operation.summary} */
  ${operation.operationId}: {
    body: ${body};
    answers: { ${answers.join('; ')} };
  };
`;
}

/** Whether the console calls it: pages and MCP endpoints are not for its script. */
function isForPrograms({ path }) {
  return path.startsWith('/v1/') && !path.includes('/scim/v2');
}

/** An operation as the console calls it: the parameters by where they go, the body, and the answer of a success. */
function callType({ method, path, operation }) {
  const inOf = (place) =>
    (operation.parameters ?? [])
      .map(resolve)
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) => `${key(name)}${required ? '' : '?'}: ${typeOf(schema, '    ')}`);
  const [parts, query] = [inOf('path'), inOf('query')].map((parameters) =>
    parameters.length > 0 ? `{ ${parameters.join('; ')} }` : 'undefined',
  );
  const body = operation.requestBody ? contentType(resolve(operation.requestBody), '    ') : 'undefined';
  const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const answer = union(answers.map(([, response]) => contentType(resolve(response), '    ')));
  return `  /** ${operation.summary} */
  '${method.toUpperCase()} ${path}': { path: ${parts}; query: ${query}; body: ${body}; answer: ${answer} };
`;
}

/** The type of a request's or a response's content; all media types of one operation have the same schema. */
function contentType({ content }, indent) {
  const [media] = Object.values(content ?? {});
  return media ? typeOf(media.schema, indent) : 'undefined';
}

function resolve(value) {
  if (!value.$ref) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((node, key) => node[key], document);
}

/** @returns the TypeScript type of a schema; what a type cannot say (lengths, patterns) is left out */
function typeOf(schema, indent) {
  if (schema.$ref) return REFERENCE.exec(schema.$ref)[1];
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return union(alternatives.map((part) => typeOf(part, indent)));
  const parts = (schema.allOf ?? []).filter((part) => !part.if);
  if (parts.length > 0) return parts.map((part) => typeOf(part, indent)).join(' & ');
  const types = [schema.type ?? []].flat();
  return types.length > 0 ? union(types.map((type) => typeOfKind(type, schema, indent))) : 'unknown';
}

function typeOfKind(type, schema, indent) {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const items = schema.items ? typeOf(schema.items, indent) : 'unknown';
      return isCompound(schema.items ?? {}) ? `(${items})[]` : `${items}[]`;
    }
    case 'object':
      return objectType(schema, indent);
    default:
      // string, boolean and null have the same name in both languages.
      return type;
  }
}

/** Whether the type contains an operator, so that it needs parentheses before `[]`. */
function isCompound({ anyOf, oneOf, allOf, enum: values, type }) {
  return [anyOf, oneOf, allOf, values, type].some((parts) => Array.isArray(parts) && parts.length > 1);
}

function objectType(schema, indent) {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const properties = { ...conditionalProperties(schema), ...schema.properties };
  const lines = Object.entries(properties).map(
    ([name, property]) => `${inner}${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(property, inner)};\n`,
  );
  const further = schema.additionalProperties;
  if (typeof further === 'object' && lines.length === 0) return `Record<string, ${typeOf(further, indent)}>`;
  if (further === true || (further === undefined && lines.length === 0)) {
    if (lines.length === 0) return 'Record<string, unknown>';
    lines.push(`${inner}[name: string]: unknown;\n`);
  }
  return `{\n${lines.join('')}${indent}}`;
}

/** Properties that an object has only under a condition (\`if\` … \`then\`): the type makes them optional. */
function conditionalProperties(schema) {
  const branches = [schema, ...(schema.allOf ?? [])].map(({ then }) => then?.properties ?? {});
  return Object.assign({}, ...branches);
}

function union(types) {
  const distinct = [...new Set(types)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function literal(value) {
  return typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : String(value);
}

function key(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

/** The paths as nested objects. */
function tree() {
  const root = {};
  for (const { method, path, operation } of operations()) {
    let node = root;
    for (const part of path.slice(1).split('/')) {
      node = node[part.startsWith('{') ? '*' : part] ??= {};
    }
    node[method.toUpperCase()] = `'${operation.operationId}'`;
  }
  return root;
}

function typeOfTree(node, indent) {
  if (typeof node === 'string') return node;
  const inner = `${indent}  `;
  const lines = Object.entries(node).map(([name, child]) => `${inner}${key(name)}: ${typeOfTree(child, inner)};\n`);
  return `{\n${lines.join('')}${indent}}`;
}
