import type { WebhookDeliveryError } from '../../../api/schema';
import { endpointWords } from './words';

const { errors, mend } = endpointWords.deliveries;

/** @returns why an attempt failed, in a sentence */
export const whyOf = (error: WebhookDeliveryError): string => errors[error];

/** @returns what a person can do about it */
export const mendOf = (error: WebhookDeliveryError): string => mend[error];
