/** Starts a sandbox in this process, hands it on, and stops it whatever happens. */
export async function withSandbox(use) {
  const { createSandbox } = await import('@aftermeet/sandbox');
  const apiKey = 'sandbox_key';
  const sandbox = createSandbox({ apiKey });
  try {
    const { url } = await sandbox.listen();
    return await use({ url, apiKey, sandbox });
  } finally {
    await sandbox.close();
  }
}
