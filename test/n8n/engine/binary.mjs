// Binary data of items, kept as n8n keeps it: in memory, or in files beside it.

/** What stands in `item.binary.data`. */
export async function makeBinary(
  engine,
  bytes,
  { fileName = 'file.bin', mimeType = 'application/octet-stream' } = {},
) {
  const location = engine.core.FileLocation.ofExecution('proof', 'proof');
  return await engine.binaries.store(location, bytes, { data: '', fileName, mimeType });
}

/** The bytes of `item.binary.data`. */
export async function readBinary(engine, binary) {
  return await engine.binaries.getAsBuffer(binary);
}
