import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { BundleRow } from '../../bundles/bundle.dto';
import { BundleFinder } from '../../bundles/bundle-finder';
import { WRITTEN_ID } from '../../database/id';
import { ValidationError } from '../../errors/errors';
import { type OpenPage, type Page, PageQuery, Pages } from '../../http/requests/page';
import { BundleCompiler } from '../compile/bundle-compiler';
import { surveyTarget } from './survey-target';
import { type EndpointRow, readSettings } from '../settings/endpoint-settings';
import { Policy } from '../rules/policy';
import { policyDecisions } from './policy-decisions';
import { findPerson, findRole, findToken, isAbout, type PolicyPrincipal, usableEntries } from './policy-principal';
import type {
  BundlePoliciesPreview,
  EndpointPreviewQuery,
  PolicyDecisionOut,
  PolicyPreviewOut,
  PreviewedKind,
} from './policy-preview.dto';
import type { PolicyRule } from '../rules/policy-rule';
import type { DefaultAccess } from '../settings/endpoint-enums';
import { readRules } from '../rules/policy-store';
import { requireReferences } from './rule-references';
import { requestedRules } from './requested-rules';

const LIST = 'policy decisions';

/** The answer, with its page as `GivesWithPage` takes it. */
type Preview = Omit<PolicyPreviewOut, 'decisions'> & { decisions: Page<PolicyDecisionOut> };

/** Shows who may use what of a bundle, and by which rule. Stores nothing. */
@Injectable()
export class PolicyPreviews {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly compiler: BundleCompiler,
    private readonly pages: Pages,
  ) {}

  /**
   * By the rules that the bundle has.
   *
   * @throws NotFoundError; ForbiddenError; ValidationError for someone who does not belong to the bundle
   */
  async present(caller: Caller, bundleId: string, query: EndpointPreviewQuery): Promise<Preview> {
    const page = this.pages.open(LIST, query, { bundle: bundleId, as: query.as, id: query.id, rules: 'present' });
    const { as, id } = page.filter;
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    if (as === undefined) throw required('as');
    if (id === undefined) throw required('id');
    const settings = await readSettings(this.dataSource.manager, bundle.id);
    const rules = await readRules(this.dataSource, bundle.id);
    const principal = await this.principal(bundle, as, id, ['query', 'id']);
    const policy = policyAbout(principal, settings.default_access, rules);
    return this.preview(caller, bundle, settings, principal, policy, page);
  }

  /**
   * By rules that are proposed.
   *
   * @throws NotFoundError; ForbiddenError; ValidationError, also for a rule that could not be stored
   */
  async proposed(caller: Caller, bundleId: string, body: BundlePoliciesPreview, query: PageQuery): Promise<Preview> {
    const rules = requestedRules(body.rules);
    const { as, id } = body;
    // The next page is of the same proposal only.
    const digest = hash('sha256', JSON.stringify([rules, body.default_access ?? null]), 'base64url');
    const page = this.pages.open(LIST, query, { bundle: bundleId, as, id, rules: digest });
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    await requireReferences(this.dataSource, bundle.id, rules);
    const settings = await readSettings(this.dataSource.manager, bundle.id);
    const principal = await this.principal(bundle, as, id, ['body', 'id']);
    const policy = policyAbout(principal, body.default_access ?? settings.default_access, rules);
    return this.preview(caller, bundle, settings, principal, policy, page);
  }

  /** @param field of the request, for the error. @throws ValidationError if there is none with this id */
  private async principal(
    { id: bundleId }: BundleRow,
    as: PreviewedKind,
    id: string,
    field: string[],
  ): Promise<PolicyPrincipal> {
    const principal = await this.findPrincipal(bundleId, as, id);
    if (!principal) throw new ValidationError([{ loc: field, msg: UNKNOWN[as], type: 'value_error' }]);
    return principal;
  }

  private async findPrincipal(bundleId: string, as: PreviewedKind, id: string): Promise<PolicyPrincipal | undefined> {
    if (as === 'role') return findRole(id);
    if (!WRITTEN_ID.test(id)) return undefined;
    return as === 'person' ? findPerson(this.dataSource, bundleId, id) : findToken(this.dataSource, bundleId, id);
  }

  private async preview(
    caller: Caller,
    bundle: BundleRow,
    settings: EndpointRow,
    { personId }: PolicyPrincipal,
    policy: Policy,
    page: OpenPage,
  ): Promise<Preview> {
    const usable = personId === null ? undefined : await usableEntries(this.dataSource, bundle.id, personId);
    const compiled = await this.compiler.survey(surveyTarget(caller, bundle, settings));
    const { all, allowedTools, deniedTools } = await policyDecisions(compiled, policy, usable);
    const from = page.after === null ? 0 : Number(page.after) + 1;
    const rows = all.slice(from, from + page.take).map((row, index) => ({ ...row, id: String(from + index) }));
    return {
      bundle_id: bundle.id,
      allowed_tool_count: allowedTools,
      denied_tool_count: deniedTools,
      decisions: page.close(rows, toDecision),
    };
  }
}

const UNKNOWN: Readonly<Record<PreviewedKind, string>> = {
  person: 'Is not a person who belongs to the bundle.',
  role: 'Is not a role.',
  token: 'Is not an access token of the bundle whose creator belongs to it.',
};

/** The rules about a principal, and what applies where none is about an item. */
function policyAbout(principal: PolicyPrincipal, defaultAccess: DefaultAccess, rules: readonly PolicyRule[]): Policy {
  return new Policy(
    defaultAccess,
    rules.filter(({ subject }) => isAbout(subject, principal)),
  );
}

function toDecision({
  kind,
  name,
  entry_id,
  upstream_name,
  is_allowed,
  reason,
  rule,
}: PolicyDecisionOut): PolicyDecisionOut {
  return { kind, name, entry_id, upstream_name, is_allowed, reason, rule };
}

function required(field: string): ValidationError {
  return new ValidationError([{ loc: ['query', field], msg: 'Is required.', type: 'missing' }]);
}
