/** Only test/operations/request-limits… is about them; all other suites send what they need. */
export const NO_REQUEST_LIMITS = {
  LIMIT_PRINCIPAL_REQUESTS_PER_MINUTE: '0',
  LIMIT_ADDRESS_REQUESTS_PER_MINUTE: '0',
  LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: '0',
};
