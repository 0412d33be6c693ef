/** The version of the API in the document, which is that of its paths. */
export const API_VERSION = '1';
