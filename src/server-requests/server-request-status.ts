export const SERVER_REQUEST_STATUSES = ['OPEN', 'APPROVED', 'DECLINED', 'WITHDRAWN'] as const;
export type ServerRequestStatus = (typeof SERVER_REQUEST_STATUSES)[number];

/** What an administrator decides. */
export type Decision = Extract<ServerRequestStatus, 'APPROVED' | 'DECLINED'>;
