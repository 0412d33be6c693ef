/** @returns the name of the draft of a new endpoint of the organisation, or of the changes of one that is there */
export const draftOf = (orgId: string, endpointId = 'new'): string => `webhook-endpoint.${orgId}.${endpointId}`;
