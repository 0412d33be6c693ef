import type { OpenAPIObject } from '@nestjs/swagger';
import { pascal } from './openapi-schemas';
import { operationsOf, type ResponseObject } from './openapi-walk';

/** A part of the document that several operations share, and the names it could have in which section. */
interface SharedPart {
  part: object;
  /** Names, best first; the first one not in use is taken. */
  names: string[];
  uses: number;
}

/**
 * Moves parameters, headers, and errors with their examples into the components if more than one operation has the same
 * one. Of those with the same name but different content (the `id` of a user and of a group), the most used one gets
 * the plain name, and the others are prefixed with the first words of their operations.
 *
 * All components have names of their own, whatever their section: the generator of Go makes a type of each, in one
 * package. What comes later (the parameter `page`, after the schema `Page`) is named after its section too.
 */
export function shareComponents(document: OpenAPIObject): void {
  shareHeaders(document);
  shareParameters(document);
  shareErrors(document);
}

function shareParameters(document: OpenAPIObject): void {
  const parts = new SharedParts();
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      const { name = '' } = parameter;
      parts.add(parameter, [
        pascal(name),
        `${pascal(name)}Parameter`,
        ...prefixed(operation.operationId, name),
        ...prefixed(operation.operationId, `${name}_parameter`),
      ]);
    }
  }
  const refs = parts.refs(document, 'parameters');
  for (const { operation } of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => refs.get(keyOf(parameter)) ?? parameter);
  }
}

function shareHeaders(document: OpenAPIObject): void {
  const parts = new SharedParts();
  const responses = operationsOf(document).flatMap(({ operation }) =>
    Object.values(operation.responses).map((response) => ({ response, operationId: operation.operationId })),
  );
  for (const { response, operationId } of responses) {
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      if (header.$ref === undefined) parts.add(header, [name, `${name}Header`, ...prefixed(operationId, name)]);
    }
  }
  const refs = parts.refs(document, 'headers');
  for (const { response } of responses) {
    const headers = Object.entries(response.headers ?? {});
    response.headers = Object.fromEntries(headers.map(([name, header]) => [name, refs.get(keyOf(header)) ?? header]));
  }
}

function shareErrors(document: OpenAPIObject): void {
  const examples: Record<string, object> = {};
  const parts = new SharedParts();
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of errorsOf(operation.responses)) {
      for (const content of Object.values(response.content ?? {})) {
        if (!content.examples) continue;
        Object.assign(examples, content.examples);
        const names = Object.keys(content.examples);
        content.examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]));
      }
      parts.add(response, errorNames(status, response));
    }
  }
  document.components = { ...document.components, examples: examples };
  const refs = parts.refs(document, 'responses');
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of errorsOf(operation.responses)) {
      operation.responses[status] = refs.get(keyOf(response)) ?? response;
    }
  }
}

function errorsOf(responses: Record<string, ResponseObject>): [string, ResponseObject][] {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400);
}

/** Named after its possible codes; without any, after its schema and status, and the page that it may be as well. */
function errorNames(status: string, { content = {} }: ResponseObject): string[] {
  const body = content['application/json'] ?? Object.values(content)[0];
  const orPage = Object.keys(content).length > 1 && 'text/html' in content ? 'PageOr' : '';
  const codes = Object.keys(body?.examples ?? {});
  const name =
    codes.length > 0
      ? codes.map(pascal).join('Or')
      : pascal(`${orPage}${body?.schema?.$ref?.split('/').at(-1) ?? 'Error'}${status}`);
  return [name, `${name}Response`];
}

/** `id` of `large_things_get` → `LargeId`, `LargeThingsId` */
function prefixed(operationId: string, name: string): string[] {
  const words = operationId.split('_');
  return words.map((_, index) => pascal([...words.slice(0, index + 1), name].join('_')));
}

class SharedParts {
  private readonly byKey = new Map<string, SharedPart>();

  add(part: object, names: string[]): void {
    const key = keyOf(part);
    const known = this.byKey.get(key);
    if (!known) this.byKey.set(key, { part, names, uses: 1 });
    else known.uses += 1;
  }

  /**
   * Names everything that is used more than once, the most used first, and puts it into the components.
   *
   * @returns the reference to each of them
   */
  refs(document: OpenAPIObject, kind: 'parameters' | 'headers' | 'responses'): Map<string, { $ref: string }> {
    const components: Record<string, object> = { ...document.components?.[kind] };
    const taken = namesOf(document);
    const refs = new Map<string, { $ref: string }>();
    const shared = [...this.byKey].filter(([, { uses }]) => uses > 1).sort(([, a], [, b]) => b.uses - a.uses);
    for (const [key, { part, names }] of shared) {
      const name = names.find((one) => !taken.has(identifier(one)));
      if (name === undefined) continue;
      components[name] = part;
      taken.add(identifier(name));
      refs.set(key, { $ref: `#/components/${kind}/${name}` });
    }
    document.components = { ...document.components, [kind]: components };
    return refs;
  }
}

/** Sections whose components no generator turns into code. */
const WITHOUT_CODE = new Set(['examples', 'securitySchemes']);

/** @returns the identifiers of all components of which generators make code */
function namesOf({ components = {} }: OpenAPIObject): Set<string> {
  const sections = Object.entries(components as Record<string, object>).filter(([kind]) => !WITHOUT_CODE.has(kind));
  return new Set(sections.flatMap(([, section]) => Object.keys(section).map(identifier)));
}

/** Languages differ in case and punctuation, so names that differ in nothing else count as the same. */
function identifier(name: string): string {
  return pascal(name).toLowerCase();
}

function keyOf(part: object): string {
  return JSON.stringify(part);
}
