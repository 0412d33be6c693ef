import { auditLog } from '../../../messages/en/organisation-audit-log';
import { translated } from '../../../messages/text';

export const words = translated(auditLog);
