import { organisationMembers } from '../../../messages/en/organisation-members';
import { translated } from '../../../messages/text';

export const membersWords = translated(organisationMembers);
