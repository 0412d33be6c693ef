import { organisation } from '../../messages/en/organisation';
import { translated } from '../../messages/text';

export const organisationWords = translated(organisation);
