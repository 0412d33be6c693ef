import { webhookEndpoint } from '../../../messages/en/organisation-webhook-endpoint';
import { webhookSettings } from '../../../messages/en/organisation-webhook-settings';
import { webhooks } from '../../../messages/en/organisation-webhooks';
import { locale, translated } from '../../../messages/text';
import { durationText, shareText } from '../../bundle/calls/figures';

export const listWords = translated(webhooks);
export const endpointWords = translated(webhookEndpoint);
export const settingsWords = translated(webhookSettings);

export const duration = (ms: number): string => durationText(ms, locale);
export const share = (part: number, whole: number): string =>
  shareText(part, whole, locale) ?? endpointWords.overview.none;
