import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBES } from './probes';

/** What the OpenAPI document has at one path template. */
export interface Resource {
  /** As in the document: `/v1/things/{thing_id}`. */
  template: string;
  /** In upper case and sorted; HEAD wherever there is GET. */
  methods: string[];
  /** Whether every operation of it can be called without a token. */
  isOpen: boolean;
  /** Worked out once here, and not for each request. */
  countedFor: CountedFor;
}

/**
 * A request counts against this limit (ADR 32). `principal`: the caller's, since a guard or gate verifies the
 * credential. `network`: that of the network, for resources without a token and those of the authorization server.
 * `nobody`: a probe.
 */
export type CountedFor = 'principal' | 'network' | 'nobody';

interface Node {
  literals: Map<string, Node>;
  parameter?: Node;
  resource?: Resource;
}

const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);

interface Operation {
  security?: object[];
}

/**
 * Resolves which resource a path names: the template with the most literal segments, from the left, whatever methods it
 * has (OpenAPI 3.1, "Path Templating Matching"; specification, operation 4, rule 3). Routers match path and method
 * together, so that `DELETE /v1/things/kinds` would go to `/v1/things/{thing_id}`.
 */
export class RouteTable {
  private readonly root: Node = newNode();
  /** The paths without parameters, which are most of the frequent ones; nothing is more literal. */
  private readonly literal = new Map<string, Resource>();

  /**
   * @param document its paths, which are all paths of the API (`test/routes.e2e-spec.ts`)
   * @param gated templates of paths that a gate answers before the routes; each requires a token
   */
  constructor(document: Pick<OpenAPIObject, 'paths'>, gated: readonly string[] = []) {
    for (const [template, item] of Object.entries(document.paths))
      this.add(template, item as Record<string, Operation>);
    for (const template of gated) this.add(template, { post: { security: [{}] } });
  }

  /** @returns the resource at the raw path; undefined if there is none */
  find(path: string): Resource | undefined {
    const known = this.literal.get(path);
    if (known) return known;
    const parts = partsOf(path);
    return parts.every(isDecodable) ? search(this.root, parts, 0) : undefined;
  }

  private add(template: string, item: Record<string, Operation>): void {
    const node = partsOf(template).reduce(
      (parent, part) => (part.startsWith('{') ? (parent.parameter ??= newNode()) : childOf(parent, part)),
      this.root,
    );
    // A path item may hold more than operations: parameters, a summary.
    const operations = Object.entries(item).filter(([name]) => METHODS.has(name.toUpperCase()));
    const methods = new Set(operations.map(([name]) => name.toUpperCase()));
    if (methods.has('GET')) methods.add('HEAD');
    const isOpen = operations.every(([, { security = [] }]) => security.length === 0);
    node.resource = { template, methods: [...methods].sort(), isOpen, countedFor: countedFor(template, isOpen) };
    if (!template.includes('{')) this.literal.set(template, node.resource);
  }
}

function countedFor(template: string, isOpen: boolean): CountedFor {
  if (PROBES.has(template)) return 'nobody';
  return isOpen || isOfProtocol(template) ? 'network' : 'principal';
}

/**
 * @param path or its template
 * @returns whether it is of the authorization server, which authenticates clients in several ways of its own
 */
export function isOfProtocol(path: string): boolean {
  return path.startsWith('/oauth2/');
}

function newNode(): Node {
  return { literals: new Map() };
}

function childOf(parent: Node, part: string): Node {
  let child = parent.literals.get(part);
  if (!child) parent.literals.set(part, (child = newNode()));
  return child;
}

/** Express ignores a trailing slash. */
function partsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

function search(node: Node, parts: readonly string[], index: number): Resource | undefined {
  const part = parts[index];
  if (part === undefined) return node.resource;
  const literal = node.literals.get(part);
  return (
    (literal && search(literal, parts, index + 1)) ??
    (node.parameter && part !== '' ? search(node.parameter, parts, index + 1) : undefined)
  );
}

/** A path that cannot be decoded names nothing; the router reports it. */
function isDecodable(part: string): boolean {
  if (!part.includes('%')) return true;
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
