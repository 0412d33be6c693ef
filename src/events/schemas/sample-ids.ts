/** The ids in the examples: the same thing has the same id in all of them. */
export const SAMPLE = {
  organisation: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10',
  person: '019a9f60-02d4-7c0a-8f27-5b1f7e6c9d31',
  administrator: '019a9f5e-7b90-7a55-b3c8-c2a4d9e81f06',
  invitation: '019a9f60-5e1b-7d93-a6c4-3b0f82d7e915',
  listing: '019a9f61-44b8-7e9d-a1d0-93f5c07b2e4c',
  bundle: '019a9f62-8a0e-7d42-86b1-1e7d4fa3c958',
  bundleEntry: '019a9f62-c6f3-7381-9be5-e04c8d5b6a72',
  accessToken: '019a9f63-1d27-70fe-bd19-7a8e35c2f4d0',
  deployment: '019a9f64-59cb-7615-8c3e-20b6d1f79ea8',
  scimUser: '019a9f65-0e86-7fb2-94a7-d85c3e1b60f9',
  scimGroup: '019a9f65-3fd1-7a0c-8e52-4c97b6a2d1e3',
  roleMapping: '019a9f65-72ad-7248-b6f0-a31d8e5c907b',
  syncRun: '019a9f65-a94c-7ec7-9d83-5f20c6b4e81a',
  endpoint: '019a9f66-1b70-7593-a4ce-86d2f0b9537e',
} as const;
