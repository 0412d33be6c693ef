import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { BundleFinder } from '../../bundles/bundle-finder';
import type { BundleRow } from '../../bundles/bundle.dto';
import { Clock } from '../../config/clock';
import { BundleCompiler } from '../compile/bundle-compiler';
import { type CompiledBundle, isReachable } from '../compile/compiled-bundle';
import { UpstreamCaller } from '../upstreams/upstream-caller';
import { Upstreams } from '../upstreams/upstreams.service';
import { policyFindings } from './policy-findings';
import { readRules } from '../rules/policy-store';
import { goneReferences } from './rule-references';
import type { EndpointRow } from '../settings/endpoint-settings';
import { entriesOf, reportOf } from './endpoint-report';
import type { EndpointReportOut, EndpointStatusOut } from './endpoint-report.dto';
import { readSettings } from '../settings/endpoint-settings';
import { surveyTarget } from './survey-target';

/** Servers whose lists were read this recently are not asked again, so that no one can make us ask them all the time. */
const FRESH_MS = 5_000;
/** How long a refresh is waited for. */
const PATIENCE_MS = 10_000;

/** What there is to say of bundles as MCP endpoints, in the view of one person. */
@Injectable()
export class EndpointReports {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: BundleFinder,
    private readonly compiler: BundleCompiler,
    private readonly upstreams: Upstreams,
    private readonly upstreamCaller: UpstreamCaller,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFoundError; ForbiddenError if the caller sees the bundle only because it is public */
  async status(caller: Caller, bundleId: string): Promise<EndpointStatusOut> {
    const bundle = await this.finder.findForInsider(this.dataSource.manager, caller, bundleId);
    const settings = await this.settingsOf(bundle);
    return this.statusOf(bundle, settings, await this.survey(caller, bundle, settings));
  }

  /**
   * Reads the lists of its servers again, unless that was just done, in whatever era they offer something now; forgets the
   * sessions with them. What takes longer than 10 s goes on.
   *
   * @throws NotFoundError; ForbiddenError
   */
  async refresh(caller: Caller, bundleId: string): Promise<EndpointStatusOut> {
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    const settings = await this.settingsOf(bundle);
    const { entries } = await this.survey(caller, bundle, settings);
    const since = this.clock.now().getTime() - FRESH_MS;
    const reachable = entries.filter(isReachable);
    const due = reachable
      .filter(({ upstream: { listedAt } }) => listedAt === null || listedAt.getTime() < since)
      .map(({ upstream }) => upstream.id);
    await this.upstreamCaller.beginAgain(
      reachable.map(({ id }) => id),
      reachable.map(({ upstream }) => upstream.id),
    );
    if (due.length > 0) await this.readAgain([...new Set(due)], caller);
    return this.statusOf(bundle, settings, await this.survey(caller, bundle, settings));
  }

  /** @throws NotFoundError; ForbiddenError */
  async compile(caller: Caller, bundleId: string): Promise<EndpointReportOut> {
    const bundle = await this.finder.findForEditor(this.dataSource.manager, caller, bundleId);
    const settings = await this.settingsOf(bundle);
    const compiled = await this.survey(caller, bundle, settings, true);
    const { is_enabled, naming, name_budget } = settings;
    const rules = await readRules(this.dataSource, bundle.id);
    const gone = await goneReferences(this.dataSource, bundle.id, rules);
    const policy_findings = await policyFindings(compiled, rules, gone);
    const head = { bundle_id: bundle.id, version: bundle.version, is_enabled, naming, name_budget, policy_findings };
    return reportOf(head, compiled, this.entriesOf(compiled));
  }

  private async readAgain(ids: readonly string[], { userId }: Caller): Promise<void> {
    const late = AbortSignal.timeout(PATIENCE_MS);
    try {
      await this.upstreams.refresh(ids, late, `user ${userId}`);
    } catch (error) {
      if (!late.aborted) throw error;
    }
  }

  private statusOf(bundle: BundleRow, settings: EndpointRow, compiled: CompiledBundle): EndpointStatusOut {
    return { bundle_id: bundle.id, is_enabled: settings.is_enabled, entries: this.entriesOf(compiled) };
  }

  private entriesOf(compiled: CompiledBundle): EndpointStatusOut['entries'] {
    const credentials = new Map(compiled.entries.map(({ id, upstream }) => [id, upstream?.credential?.id]));
    return entriesOf(compiled, (entryId) => this.upstreamCaller.breakerOpenFor(entryId, credentials.get(entryId)));
  }

  private settingsOf({ id }: BundleRow): Promise<EndpointRow> {
    return readSettings(this.dataSource.manager, id);
  }

  /** @param asksNew whether servers that were never asked for their lists are asked now */
  private survey(caller: Caller, bundle: BundleRow, settings: EndpointRow, asksNew = false): Promise<CompiledBundle> {
    return this.compiler.survey(surveyTarget(caller, bundle, settings), asksNew);
  }
}
