import { account } from '../../messages/en/account';
import { translated } from '../../messages/text';

export const accountWords = translated(account);
