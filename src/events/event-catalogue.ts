import { describeEvent, type DescribedEventType } from './event-schemas';
import type { EventGroup, EventType } from './event-types';

/** Every event that the service emits, as the nouns declare them. */
export class EventCatalogue {
  /** Those to which one can subscribe, in the order in which clients show them (contract, section 8). */
  readonly subscribable: readonly DescribedEventType[];
  /** The same, and behind them those that come only when somebody asks for one. */
  readonly all: readonly DescribedEventType[];
  /** The names of those to which one can subscribe. */
  readonly types: readonly EventType[];
  private readonly rank: ReadonlyMap<string, number>;

  /**
   * @param groups in the order in which clients show them
   * @param onRequest of types to which nobody subscribes
   */
  constructor(groups: readonly EventGroup[], onRequest: readonly EventGroup[]) {
    this.subscribable = groups.flatMap(describeGroup);
    this.all = [...this.subscribable, ...onRequest.flatMap(describeGroup)];
    this.types = this.subscribable.map(({ event_type }) => event_type as EventType);
    this.rank = new Map(this.types.map((eventType, index) => [eventType, index]));
  }

  /**
   * @param eventTypes in any order, with repetitions; a type that a later release withdrew is left out
   * @returns each once, in catalogue order
   */
  inOrder(eventTypes: readonly string[]): EventType[] {
    const known = [...new Set(eventTypes)].filter((eventType): eventType is EventType => this.rank.has(eventType));
    return known.sort((a, b) => (this.rank.get(a) ?? 0) - (this.rank.get(b) ?? 0));
  }
}

function describeGroup({ name, types }: EventGroup): DescribedEventType[] {
  return Object.entries(types).map(([eventType, declaration]) => describeEvent(eventType, name, declaration));
}
