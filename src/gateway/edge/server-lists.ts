import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets';
import { ValidationError } from '../../errors/errors';
import { Cursors } from '../../http/requests/cursor';
import { BundleCompiler } from '../compile/bundle-compiler';
import type { CompiledBundle, ListMethod, ListPage } from '../compile/compiled-bundle';
import { pageAt } from '../compile/list-pages';
import { RESERVED_META } from '../protocol/incoming';
import { RpcCode, RpcFailure } from '../protocol/json-rpc';
import type { MethodCall } from './method-call';

/** For how long clients may keep a list: those that listen hear of changes at once. */
const TTL_MS = 60_000;

/** Lists of tools, prompts, resources and templates: ready bytes of what is known, never asked for in the request. */
@Injectable()
export class ServerLists {
  private readonly cursors: Cursors;

  constructor(
    secrets: Secrets,
    private readonly compiler: BundleCompiler,
  ) {
    this.cursors = new Cursors(secrets.derive('MCP cursors'));
  }

  /** @returns the answer, in parts. @throws RpcFailure for a cursor that is not of this list */
  answer({ id, method, params, client }: MethodCall, bundle: CompiledBundle): (string | Buffer)[] {
    const list = method as ListMethod;
    const pages = client.era === 'modern' ? bundle.pages : bundle.legacyPages;
    const page = this.pageOf(list, params.cursor, bundle, pages[list]);
    const next = page.next === undefined ? '' : `,"nextCursor":"${this.encode(list, bundle, page.next)}"`;
    const hints = client.era === 'modern' ? this.hints(bundle) : '';
    return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{`, page.items, `${next}${hints}}}`];
  }

  private pageOf(list: ListMethod, cursor: unknown, bundle: CompiledBundle, pages: readonly ListPage[]): ListPage {
    const page = pageAt(pages, cursor === undefined ? 0 : this.decode(list, bundle, cursor));
    // The list has become shorter: clients then begin again (2026-07-28, caching, "Interaction with Pagination").
    if (!page) throw badCursor();
    return page;
  }

  private encode(list: ListMethod, { bundleId }: CompiledBundle, place: number): string {
    return this.cursors.encode(`mcp ${list}`, { after: String(place), filter: { bundle: bundleId } });
  }

  private decode(list: ListMethod, { bundleId }: CompiledBundle, cursor: unknown): number {
    if (typeof cursor !== 'string') throw badCursor();
    try {
      const { after, filter } = this.cursors.decode(`mcp ${list}`, cursor);
      if (filter.bundle === bundleId) return Number(after);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
    }
    throw badCursor();
  }

  /** What the modern era adds to lists (2026-07-28, caching). Never shared: what is offered depends on who asks. */
  private hints({ serverInfo }: CompiledBundle): string {
    const ttlMs = this.compiler.isListening ? TTL_MS : 0;
    const meta = JSON.stringify({ [`${RESERVED_META}serverInfo`]: serverInfo });
    return `,"resultType":"complete","ttlMs":${ttlMs},"cacheScope":"private","_meta":${meta}`;
  }
}

function badCursor(): RpcFailure {
  return new RpcFailure(
    200,
    RpcCode.InvalidParams,
    'The cursor is not one of this list. Begin again without a cursor.',
  );
}
