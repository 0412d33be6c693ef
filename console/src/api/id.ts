/** An id as people may type it into an address; the API writes ids in lower case. */
export const TYPED_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
