/** Longer answers are shown as they are: to lay them out would take the browser too long. */
const longest = 400_000

/** The text of an answer, laid out for people. */
export function readableText(text: string, contentType: string): string {
  if (text.length > longest) return text
  if (contentType.includes('json')) return readableJson(text)
  return contentType.includes('xml') ? readableXml(text) : text
}

function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** Elements that hold others get lines of their own; those that hold text keep it in theirs. */
function readableXml(text: string): string {
  let depth = 0
  const lines: string[] = []
  const parts = text.match(/<[^>]*>|[^<]+/g) ?? []
  let line = ''
  const end = (): void => {
    if (line.trim() !== '') lines.push('  '.repeat(Math.max(0, depth)) + line.trim())
    line = ''
  }
  for (const [index, part] of parts.entries()) {
    if (part.startsWith('</')) {
      const holdsText = line !== ''
      if (!holdsText) depth--
      line += part
      end()
      if (holdsText) continue
    } else if (part.startsWith('<')) {
      end()
      line = part
      const isLeaf = part.endsWith('/>') || part.startsWith('<?') || part.startsWith('<!')
      const next = parts[index + 1] ?? ''
      if (isLeaf) end()
      else if (next.startsWith('<') && !next.startsWith('</')) {
        end()
        depth++
      }
    } else if (part.trim() !== '') line += part
    else if (line !== '' && parts[index + 1]?.startsWith('</') !== true) {
      end()
      depth++
    }
  }
  end()
  return lines.join('\n')
}
