import { SEND_ERROR_CODES } from '../sending/send-error';

/** The status of a delivery (contract, section 9). */
export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why a delivery is not `SUCCEEDED`: the error of its latest attempt, or `restored`: it was pending in a backup that was
 * restored, and is not sent (`npm run after-restore`).
 */
export const DELIVERY_ERRORS = [...SEND_ERROR_CODES, 'restored'] as const;

export type DeliveryError = (typeof DELIVERY_ERRORS)[number];
