import { describeEvent, type DescribedEventType } from './event-schemas';
import type { EventGroup, EventType } from './event-types';

/** Every event that the service emits, as declared by the modules. */
export class EventCatalogue {
  /** These can be subscribed to; they are in the order in which clients show them (contract, section 8). */
  readonly subscribable: readonly DescribedEventType[];
  /** The same, followed by those that are only sent on request. */
  readonly all: readonly DescribedEventType[];
  /** The names of those that can be subscribed to. */
  readonly types: readonly EventType[];
  private readonly rank: ReadonlyMap<string, number>;

  /**
   * @param groups in the order in which clients show them
   * @param onRequest types that cannot be subscribed to
   */
  constructor(groups: readonly EventGroup[], onRequest: readonly EventGroup[]) {
    this.subscribable = groups.flatMap(describeGroup);
    this.all = [...this.subscribable, ...onRequest.flatMap(describeGroup)];
    this.types = this.subscribable.map(({ event_type }) => event_type as EventType);
    this.rank = new Map(this.types.map((eventType, index) => [eventType, index]));
  }

  /**
   * @param eventTypes in any order, with duplicates; types withdrawn by a later release are dropped
   * @returns each once, in catalogue order
   */
  inOrder(eventTypes: readonly string[]): EventType[] {
    const current = [...new Set(eventTypes)].filter((eventType): eventType is EventType => this.rank.has(eventType));
    return current.sort((a, b) => (this.rank.get(a) ?? 0) - (this.rank.get(b) ?? 0));
  }
}

function describeGroup({ name, types }: EventGroup): DescribedEventType[] {
  return Object.entries(types).map(([eventType, declaration]) => describeEvent(eventType, name, declaration));
}
