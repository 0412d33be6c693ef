import type { ReactNode } from 'react';
import type { PlatformHealth } from '../../../api/schema';
import { listOf, number } from '../../../messages/text';
import { Facts } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import styles from './health.module.css';
import type { Light } from './lights';
import { StateBadge } from './state-badge';
import { TodoText } from './todo-text';
import { words } from './words';

type Fact = readonly [string, ReactNode];

interface Props {
  health: PlatformHealth;
  light: Light;
}

/** One light: how it is, what it is about, and what to do. */
export function LightCard({ health, light }: Props) {
  return (
    <li className={styles.light}>
      <div className={styles.head}>
        <h3>{titleOf(light)}</h3>
        <StateBadge state={light.state} />
      </div>
      <Facts facts={factsOf(health, light)} />
      {light.todo !== undefined && (
        <p className={styles.todo}>
          <TodoText light={light} />
        </p>
      )}
    </li>
  );
}

/** @returns what a light is about */
export function titleOf(light: Light): string {
  if (light.kind === 'queue') return words.lights[light.queue.name];
  return light.kind === 'key' ? words.lights[light.key.purpose] : words.lights[light.kind];
}

function factsOf(health: PlatformHealth, light: Light): readonly Fact[] {
  const { facts } = words;
  switch (light.kind) {
    case 'queue': {
      const { depth, counted_up_to: most, oldest_at: oldest } = light.queue;
      return [
        [facts.depth, counted(depth, most)],
        ...(oldest === null ? [] : [[facts.oldest, <When at={oldest} />] as const]),
      ];
    }
    case 'key':
      return [
        [facts.use, words.uses[light.key.use]],
        [facts.since, <When at={light.key.since} />],
        [facts.id, <code>{light.key.id}</code>],
      ];
    case 'versions':
      return [
        [facts.service, health.versions.service],
        [facts.releases, health.versions.releases.length > 0 ? listOf(health.versions.releases) : words.none],
        [facts.postgresql, health.versions.postgresql],
        [facts.node, health.versions.node],
      ];
    case 'migrations':
      return [
        [facts.applied, number(health.migrations.applied)],
        [facts.pending, names(health.migrations.pending)],
        ...(health.migrations.unknown.length > 0 ? [[facts.unknown, names(health.migrations.unknown)] as const] : []),
      ];
    case 'replicas':
      return [
        [facts.api, number(health.replicas.api)],
        [facts.worker, number(health.replicas.worker)],
      ];
    case 'categoryCounts':
      return [[facts.refreshed, when(health.category_counts.refreshed_at)]];
    case 'imports':
      return importFacts(health.imports);
  }
}

function importFacts({ from, last, ...imports }: PlatformHealth['imports']): readonly Fact[] {
  const { facts } = words;
  const error = last?.error ?? null;
  return [
    [facts.from, from === null ? words.notByItself : <OtherText>{from}</OtherText>],
    [
      facts.lastImport,
      last ? (
        <>
          {words.importStates[last.status]}, <When at={last.updated_at} />
        </>
      ) : (
        words.nothingImported
      ),
    ],
    ...(last ? [[facts.lastFinished, when(imports.finished_at)] as const] : []),
    ...(error === null ? [] : [[facts.error, <OtherText>{error}</OtherText>] as const]),
    [facts.quarantined, counted(imports.quarantined, imports.counted_up_to)],
    [facts.quarantinedToday, counted(imports.quarantined_today, imports.counted_up_to)],
  ];
}

const when = (at: string | null): ReactNode => (at === null ? words.never : <When at={at} />);
const names = (all: readonly string[]): ReactNode => (all.length === 0 ? words.none : all.join(', '));
const counted = (count: number, most: number): string => (count >= most ? words.atLeast(number(count)) : number(count));
