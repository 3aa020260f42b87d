import { product } from '/work/main/spec/bench/shop/rows.mjs'
const rows = Array.from({ length: 1000 }, (_, i) => product(i + 1))
const names = Object.keys(rows[0])
const pgText = (name, v) => name === 'Active' ? (v ? 't' : 'f') : name === 'Released' ? v.replace('T', ' ').replace(/\.?0+$/, '') : name === 'Price' ? v.toFixed(2) : String(v)
const bytes = [], positions = []; let at = 0
for (const row of rows) { const parts=[Buffer.from([0,names.length])]; for (const n of names){const t=Buffer.from(pgText(n,row[n]));const l=Buffer.alloc(4);l.writeInt32BE(t.length);parts.push(l,t)} const b=Buffer.concat(parts);positions.push(at);at+=b.length;bytes.push(b)}
const all = Buffer.concat(bytes)
const root='http://localhost:4000/shop/'
const quoted = new Set(['Name','Description','Price','Stock','Weight','Code'])
const before = names.map((n,i)=> (i?',':'')+`"${n}":`+(n==='Released'?'"\\/Date(':quoted.has(n)?'"':''))
const after = names.map((n)=> n==='Released'?')\\/"':quoted.has(n)?'"':'')
const opening = names.map((n,i)=> (i? after[i-1]:'')+before[i])
const tail = after.at(-1)+`,"Category":{"__deferred":{"uri":"${root}Products(`
const head = `{"__metadata":{"uri":"${root}Products(`
const mid = `)","type":"Shop.Product"},`
const end = `)/Category"}}}`
const i32=(t,a)=>(t.charCodeAt(a)<<24)|(t.charCodeAt(a+1)<<16)|(t.charCodeAt(a+2)<<8)|t.charCodeAt(a+3)
const plain=/^[ !#-%'-;=?-[\]-~]*$/
function cell(text,a,l,i){ const s=text.slice(a,a+l); if(i===7) return s==='t'?'true':'false'; if((i===1||i===2)&&!plain.test(s)) return JSON.stringify(s).slice(1,-1); if(i===8) return '1577836800001'; return s }
let sink=0
function viaAdd(text){ let out=''
  for(let r=0;r<1000;r++){ let a=positions[r]+2; let l=i32(text,a); const id=text.slice(a+4,a+4+l)
    let e=head+id+mid
    for(let i=0;i<10;i++){ l=i32(text,a); a+=4; if(l<0){e+=opening[i]+'null'} else { e+=opening[i]+cell(text,a,l,i); a+=l } }
    out+=e+tail+id+end
    if(out.length>60000){ sink+=Buffer.from(out,'latin1').length; out='' } }
  sink+=Buffer.from(out,'latin1').length }
function viaJoin(text){ let out=[]; let n=0
  for(let r=0;r<1000;r++){ let a=positions[r]+2; let l=i32(text,a); const id=text.slice(a+4,a+4+l)
    out.push(head,id,mid)
    for(let i=0;i<10;i++){ l=i32(text,a); a+=4; if(l<0){out.push(opening[i],'null')} else { out.push(opening[i],cell(text,a,l,i)); a+=l } }
    out.push(tail,id,end)
    if(++n===100){ sink+=Buffer.from(out.join(''),'latin1').length; out.length=0; n=0 } }
  sink+=Buffer.from(out.join(''),'latin1').length }
function viaAddUtf8(text){ let out=''
  for(let r=0;r<1000;r++){ let a=positions[r]+2; let l=i32(text,a); const id=text.slice(a+4,a+4+l)
    let e=head+id+mid
    for(let i=0;i<10;i++){ l=i32(text,a); a+=4; if(l<0){e+=opening[i]+'null'} else { e+=opening[i]+cell(text,a,l,i); a+=l } }
    out+=e+tail+id+end
    if(out.length>60000){ sink+=Buffer.from(out).length; out='' } }
  sink+=Buffer.from(out).length }
const cases={add:()=>viaAdd(all.latin1Slice()),zz:()=>viaAddUtf8(all.latin1Slice())}
// bytes
const enc=s=>Buffer.from(s,'latin1')
const bo=opening.map(enc), bh=enc(head), bm=enc(mid), bt=enc(tail), be=enc(end)
const T=enc('true'),F=enc('false'),N=enc('null')
const out=Buffer.allocUnsafeSlow(1<<20)
function put(b,p){ for(let i=0;i<b.length;i++) out[p+i]=b[i]; return p+b.length }
function viaBytes(src){ let p=0
  for(let r=0;r<1000;r++){ let a=positions[r]+2; let l=(src[a]<<24)|(src[a+1]<<16)|(src[a+2]<<8)|src[a+3]; const ia=a+4, il=l
    p=put(bh,p); for(let i=0;i<il;i++) out[p+i]=src[ia+i]; p+=il; p=put(bm,p)
    for(let i=0;i<10;i++){ l=(src[a]<<24)|(src[a+1]<<16)|(src[a+2]<<8)|src[a+3]; a+=4; p=put(bo[i],p)
      if(l<0) p=put(N,p); else { if(i===7) p=put(src[a]===0x74?T:F,p); else if(i===8) p=put(enc('1577836800001'),p); else { let bad=false; for(let j=0;j<l;j++){ const c=src[a+j]; out[p+j]=c; if(c<32||c===34||c===92) bad=true } p+=l } a+=l } }
    p=put(bt,p); for(let i=0;i<il;i++) out[p+i]=src[ia+i]; p+=il; p=put(be,p) }
  sink+=Buffer.from(out.subarray(0,p)).length }

for(const w of Object.values(cases)) for(let i=0;i<300;i++) w()
const best={}
for(let k=0;k<9;k++) for(const [n,w] of Object.entries(cases)){ const s=process.cpuUsage(); for(let i=0;i<100;i++) w(); const e=process.cpuUsage(s); best[n]=Math.min(best[n]??1e9,(e.user+e.system)/100) }
for(const [n,u] of Object.entries(best)) console.log(n,Math.round(u))
