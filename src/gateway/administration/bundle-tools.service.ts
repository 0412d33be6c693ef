import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { BundleRow } from '../../bundles/bundle.dto';
import { type Connection, many, maybe } from '../../database/statements';
import { requireFound } from '../../errors/errors';
import { type Page, Pages } from '../../http/requests/page';
import { BundleCompiler } from '../compile/bundle-compiler';
import { digestedText, shownText, withShown } from '../protocol/definition-digest';
import type { CompiledEntry, CompileTarget } from '../compile/compiled-bundle';
import { EndpointUpstreams } from '../compile/endpoint-upstreams';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { ApprovedDefinition } from '../rules/approved-definition.entity';
import type { EndpointRow } from '../settings/endpoint-settings';
import { readSettings } from '../settings/endpoint-settings';
import { surveyTarget } from './survey-target';
import { findingsOf, ownersOf } from '../rules/bundle-findings';
import type { Policy } from '../rules/policy';
import { PrincipalPolicies } from '../rules/policy-store';
import { hintsOf } from '../rules/tool-hints';
import {
  type BundleToolDetailOut,
  type BundleToolOut,
  type BundleToolQuery,
  type BundleToolRow,
  type ListedTool,
  MAX_TEXT_IN_LIST,
  toBundleTool,
} from './bundle-tool.dto';
import type { BundleToolChangesOut } from './tool-changes.dto';
import { DEFINITIONS_OF, FIND, FIND_ALL, LIST, NAMES, PRESENT_BODIES } from './bundle-tools.sql';
import { definitionChanges } from '../rules/definition-changes';
import { TOOL_ERRORS } from './tool.errors';
import { toOverride } from '../rules/tool-rules-reader';
import { ToolInventory } from './tool-inventory';
import { overridden } from '../rules/tool-override';
import { exposedName } from '../protocol/exposed-name';
import type { ToolKind } from '../rules/tool-kinds';

const LIST_NAME = 'bundle tools';
/** The report shows so many definitions of one tool. */
const MAX_DEFINITIONS = 20;
/** The report shows so many hints of one tool; MCP has four. */
const MAX_HINTS = 16;
/** Places where two definitions differ. */
const MAX_CHANGES = 200;

/** A bundle, and what someone may know of its entries. */
export interface ToolView {
  readonly bundle: BundleRow;
  readonly settings: EndpointRow;
  readonly target: CompileTarget;
  /** The enabled entries that they may see. */
  readonly entries: readonly CompiledEntry[];
  /** What they may use. */
  readonly policy: Policy;
}

/** A definition that a server has, or had. */
interface DefinitionRow {
  digest: string;
  is_listed: boolean;
  is_approved: boolean;
  first_seen_at: Date;
  last_seen_at: Date;
  body: string;
}

type NameRow = NamedTool & { id: string };

/** The tools, prompts and templates of bundles, as their servers have them and as bundles show them. */
@Injectable()
export class BundleTools {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly compiler: BundleCompiler,
    private readonly outages: EndpointUpstreams,
    private readonly inventory: ToolInventory,
    private readonly policies: PrincipalPolicies,
    private readonly pages: Pages,
  ) {}

  /**
   * Lists the tools of the enabled entries whose listings the caller may see; by entry, kind and name.
   *
   * @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public
   */
  async list(caller: Caller, bundleId: string, query: BundleToolQuery): Promise<Page<BundleToolOut>> {
    const { search, entry_id, kind, state, finding } = query;
    const filter = { bundle: bundleId, search, entry_id: entry_id?.toLowerCase(), kind, state, finding };
    const page = this.pages.open(LIST_NAME, query, filter);
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const view = await this.view(caller, bundle);
    const wanted = page.filter;
    const found = wanted.finding === undefined ? undefined : await this.withFinding(view, wanted.finding);
    const [afterEntry, afterKind, afterName] = page.position<[string, string, string]>() ?? [];
    const rows = await many<BundleToolRow>(this.dataSource, LIST, [
      bundle.id,
      idsOf(view),
      wanted.search ?? null,
      wanted.entry_id ?? null,
      wanted.kind ?? null,
      wanted.state ?? null,
      found?.map(({ entryId }) => entryId) ?? null,
      found?.map(({ name }) => name) ?? null,
      afterEntry ?? null,
      afterKind ?? null,
      afterName ?? null,
      page.take,
    ]);
    const listed = await this.listedOf(view, rows.slice(0, page.take - 1));
    const map = (row: BundleToolRow) => show(view, row, listed.get(row.id));
    return page.close(rows, map, (row) => [row.entry_id, row.kind, row.name]);
  }

  /** @throws NotFoundError; ForbiddenError */
  async get(caller: Caller, bundleId: string, id: string): Promise<BundleToolDetailOut> {
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    return this.detail(await this.view(caller, bundle), id);
  }

  /**
   * How its definition has changed: from the approved one to that which its server lists now; without an approval, from the one
   * before.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async changes(caller: Caller, bundleId: string, id: string): Promise<BundleToolChangesOut> {
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const row = await this.find(this.dataSource, await this.view(caller, bundle), id);
    const definitions = await this.definitionsOf(bundle.id, row);
    const present = definitions.find(({ is_listed }) => is_listed);
    const former = definitions.find(({ is_listed }) => !is_listed);
    const approved = row.approved_digest;
    const before = approved === null ? parsed(former?.body) : await this.approved(bundle.id, row);
    const after = approved === null ? parsed(present?.body) : approvable(present?.body);
    const all = definitionChanges(before ?? {}, after);
    return {
      id: row.id,
      before_digest: approved ?? former?.digest ?? null,
      after_digest: present?.digest ?? null,
      changes: all.slice(0, MAX_CHANGES),
      change_count: all.length,
    };
  }

  /** What someone may know of a bundle. Notices what its servers list, so that each tool has an id. */
  async view(caller: Caller, bundle: BundleRow): Promise<ToolView> {
    const settings = await readSettings(this.dataSource.manager, bundle.id);
    const target = surveyTarget(caller, bundle, settings);
    const entries = await this.compiler.look(target);
    await this.outages.noteNow(bundle.id, entries);
    await this.inventory.noticeOf(bundle.id);
    const { policy } = await this.policies.of({ bundleId: bundle.id, personId: caller.userId, tokenId: null });
    return { bundle, settings, target, entries, policy };
  }

  /** @throws NotFoundError */
  async find(connection: Connection, view: ToolView, id: string): Promise<BundleToolRow> {
    const row = await maybe<BundleToolRow>(connection, FIND, [view.bundle.id, idsOf(view), id]);
    return requireFound(row, TOOL_ERRORS.BundleToolNotFound, id);
  }

  /** @returns them in that order. @throws NotFoundError */
  async findAll(connection: Connection, view: ToolView, ids: readonly string[]): Promise<BundleToolRow[]> {
    const rows = await many<BundleToolRow>(connection, FIND_ALL, [view.bundle.id, idsOf(view), ids]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      return requireFound(byId.get(id.toLowerCase()), TOOL_ERRORS.BundleToolNotFound, id);
    });
  }

  /** @throws NotFoundError */
  async detail(view: ToolView, id: string): Promise<BundleToolDetailOut> {
    const row = await this.find(this.dataSource, view, id);
    const definitions = await this.definitionsOf(view.bundle.id, row);
    const present = definitions.find(({ is_listed }) => is_listed);
    const served = await this.served(view.bundle.id, row, present?.body);
    const listed = await this.listedOf(view, [row]);
    const tool = show(view, row, listed.get(row.id));
    const shown = served && overridden(row.kind, served, toOverride(row));
    return {
      ...tool,
      definition: present ? parsed(present.body) : null,
      shown:
        shown && row.state !== 'HIDDEN' ? { ...shown, ...(row.kind === 'template' ? {} : { name: tool.name }) } : null,
      definitions: definitions.map((one) => ({
        digest: one.digest,
        is_listed: one.is_listed,
        is_approved: one.is_approved,
        first_seen_at: one.first_seen_at.toISOString(),
        last_seen_at: one.last_seen_at.toISOString(),
      })),
    };
  }

  /** @returns the definition that overrides apply to: the approved one of a tool that has changed; undefined: none is known */
  async base(bundleId: string, row: BundleToolRow): Promise<JsonObject | undefined> {
    const definitions = await this.definitionsOf(bundleId, row);
    const present = definitions.find(({ is_listed }) => is_listed) ?? definitions[0];
    const body = row.state === 'CHANGED' ? await this.bodyOf(bundleId, row.approved_digest) : undefined;
    const text = body ?? present?.body;
    return text === undefined ? undefined : parsed(text);
  }

  /** @returns the names that the tools and prompts of a bundle have, those of one apart */
  async otherNames(manager: EntityManager, view: ToolView, { id, kind }: BundleToolRow): Promise<Map<string, NameRow>> {
    const rows = await many<NameRow>(manager, NAMES, [view.bundle.id, idsOf(view)]);
    const others = rows.filter((row) => row.id !== id && row.kind === kind);
    return new Map(others.map((row) => [exposedAs(view, row), row]));
  }

  private async served(bundleId: string, row: BundleToolRow, present?: string): Promise<JsonObject | undefined> {
    if (row.state === 'LISTED' || row.state === 'HIDDEN') return present === undefined ? undefined : parsed(present);
    if (row.state !== 'CHANGED') return undefined;
    return this.approved(bundleId, row);
  }

  /** @returns the approved definition, with what clients show of it as far as that is known */
  private async approved(bundleId: string, row: BundleToolRow): Promise<JsonObject | undefined> {
    const body = await this.bodyOf(bundleId, row.approved_digest);
    if (body === undefined) return undefined;
    const shown = await this.bodyOf(bundleId, row.approved_shown_digest);
    return withShown(parsed(body), shown === undefined ? undefined : parsed(shown));
  }

  private definitionsOf(bundleId: string, { entry_id, kind, name }: BundleToolRow): Promise<DefinitionRow[]> {
    return many<DefinitionRow>(this.dataSource, DEFINITIONS_OF, [bundleId, entry_id, kind, name, MAX_DEFINITIONS]);
  }

  private async bodyOf(bundleId: string, digest: string | null): Promise<string | undefined> {
    if (digest === null) return undefined;
    const definitions = this.dataSource.getRepository(ApprovedDefinition);
    return (await definitions.findOneBy({ bundleId, digest: Buffer.from(digest, 'hex') }))?.body;
  }

  private async withFinding({ entries, target }: ToolView, code: string) {
    const all = await this.compiler.findings(target, entries);
    return all.filter((one) => one.code === code).map(({ entryId, subject = '' }) => ({ entryId, name: subject }));
  }

  /** Finds for a page what servers say of its tools now, and what is odd in it. */
  private async listedOf(view: ToolView, rows: readonly BundleToolRow[]): Promise<Map<string, ListedTool>> {
    const { bundle, entries, settings } = view;
    const bodies = await many<{ place: number; body: string }>(this.dataSource, PRESENT_BODIES, [
      bundle.id,
      rows.map(({ entry_id }) => entry_id),
      rows.map(({ kind }) => kind),
      rows.map(({ name }) => name),
    ]);
    if (bodies.length === 0) return new Map();
    const names = await many<NameRow>(this.dataSource, NAMES, [bundle.id, idsOf(view)]);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const owners = ownersOf(
      names.flatMap(({ entry_id, name }) => {
        const entry = byId.get(entry_id);
        return entry ? [{ entry, name }] : [];
      }),
      settings.name_budget,
    );
    return new Map(
      bodies.flatMap(({ place, body }) => {
        const row = rows[place - 1];
        const entry = row && byId.get(row.entry_id);
        if (!entry) return [];
        const findings = findingsOf(entry, { kind: row.kind, body }, owners);
        const { title, description, annotations } = parsed(body);
        const texts = { title: textOf(title), description: textOf(description) };
        return [[row.id, { ...texts, annotations: hintsIn(annotations), findings }] as const];
      }),
    );
  }
}

function show(view: ToolView, row: BundleToolRow, listed: ListedTool | undefined): BundleToolOut {
  const hints = hintsOf(row.kind, { ...listed?.annotations, ...row.annotations });
  return toBundleTool(row, exposedAs(view, row), listed, {
    showsValues: view.bundle.may_modify,
    mayUse: view.policy.allows({ entryId: row.entry_id, name: row.name, ...hints }),
  });
}

/** @returns the annotations that are yes or no; null without one */
function hintsIn(annotations: unknown): Record<string, boolean> | null {
  const hints = isObject(annotations)
    ? Object.entries(annotations).filter((hint): hint is [string, boolean] => typeof hint[1] === 'boolean')
    : [];
  return hints.length === 0 ? null : Object.fromEntries(hints.slice(0, MAX_HINTS));
}

/** @returns a text of a definition, as far as lists show it; null for what is none */
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT_IN_LIST).toWellFormed() : null;
}

function idsOf({ entries }: ToolView): string[] {
  return entries.map(({ id }) => id);
}

/** @returns what approving a definition approves of it */
function approvable(body: string | undefined): JsonObject {
  if (body === undefined) return {};
  return withShown(parsed(digestedText(parsed(body))), parsed(shownText(parsed(body))));
}

function parsed(body: string | undefined): JsonObject {
  return body === undefined ? {} : (JSON.parse(body) as JsonObject);
}

/** A tool by what it is, and the name that an override gives it. */
export interface NamedTool {
  readonly entry_id: string;
  readonly kind: ToolKind;
  /** As its server has it. */
  readonly name: string;
  readonly exposed_name: string | null;
}

/** How a bundle names things. */
interface Naming {
  readonly settings: Pick<EndpointRow, 'naming' | 'name_budget'>;
  readonly entries: readonly CompiledEntry[];
}

/** @returns the name that clients see, where no other tool has the same; of a template what its server has */
export function exposedAs({ settings, entries }: Naming, { entry_id, kind, name, exposed_name }: NamedTool): string {
  if (kind === 'template') return name;
  const { naming, name_budget: budget } = settings;
  if (exposed_name !== null && exposed_name.length <= budget) return exposed_name;
  const entry = naming === 'PREFIX' ? entries.find(({ id }) => id === entry_id) : undefined;
  return entry ? exposedName(entry.id, entry.alias, name, budget) : name;
}
