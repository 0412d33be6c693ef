import type { WebhookDeliveryStatus, WebhookResponseClass } from '../../../api/schema';

export const STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const satisfies WebhookDeliveryStatus[];
export const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'] as const satisfies WebhookResponseClass[];
export const PERIODS = ['', '1', '24', '168'] as const;

/** What the address says of the deliveries that are shown. */
export type DeliverySearch = Partial<
  Record<'status' | 'type' | 'class' | 'hours' | 'from' | 'to' | 'delivery', string | undefined>
>;

export interface DeliveryFilter {
  status: WebhookDeliveryStatus | undefined;
  type: string | undefined;
  class: WebhookResponseClass | undefined;
  hours: (typeof PERIODS)[number];
  /** Of the address, in place of the hours. */
  from: string | undefined;
  to: string | undefined;
}

const instant = (text: string | undefined): string | undefined =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString();

/** @returns the filter that an address says; what it says wrongly is left out */
export const filterOf = (search: DeliverySearch): DeliveryFilter => ({
  status: STATUSES.find((one) => one === search.status),
  type: search.type,
  class: CLASSES.find((one) => one === search.class),
  hours: PERIODS.find((one) => one === search.hours) ?? '',
  from: instant(search.from),
  to: instant(search.to),
});

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** @returns the period of a filter that is looked at now, to the minute */
export function periodOf({ hours, from, to }: DeliveryFilter, now: number) {
  if (from !== undefined || to !== undefined) return { from, to };
  if (hours === '') return {};
  return { from: new Date(Math.floor((now - Number(hours) * HOUR_MS) / MINUTE_MS) * MINUTE_MS).toISOString() };
}

/** @returns whether anything is left out */
export const isNarrowed = (filter: DeliveryFilter): boolean =>
  Object.values(filter).some((value) => value !== undefined && value !== '');
