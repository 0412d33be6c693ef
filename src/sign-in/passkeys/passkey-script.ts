import { join } from 'node:path';
import { pageAsset } from '../../pages/page-assets';

/** For the pages on which passkeys are used or added. */
export const PASSKEY_SCRIPT = pageAsset('passkeys', 'js', join(__dirname, 'passkeys.browser.js'));
