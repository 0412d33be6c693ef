import { organisationRoles } from '../../../messages/en/organisation-roles';
import { translated } from '../../../messages/text';

export const rolesWords = translated(organisationRoles);
