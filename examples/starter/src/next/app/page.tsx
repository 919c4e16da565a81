export default function Home() {
  return <p>It works.</p>
}
