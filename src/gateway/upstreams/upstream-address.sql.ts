/** Of `upstreams`: an `AddressRow`. */
export const ADDRESS = `upstreams.id, upstreams.url, upstreams.headers, upstreams.credential_id, upstreams.fills,
  (SELECT credentials.version FROM credentials WHERE credentials.id = upstreams.credential_id) AS credential_version`;
