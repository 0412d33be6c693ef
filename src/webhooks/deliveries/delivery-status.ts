/** The status of a delivery (contract, section 9). */
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
